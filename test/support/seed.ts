import fc from "fast-check";

/**
 * The seed of every random law: `LAW_SEED=7 npx mocha …` repeats the run that printed it. Without a seed, each run
 * draws its own. The tests of a change always use the same seed, so that a random history that has nothing to do with
 * the change cannot fail it.
 */
const { LAW_SEED } = process.env;

if (LAW_SEED) fc.configureGlobal({ seed: Number(LAW_SEED) });
