import fc from "fast-check";

/**
 * The seed of every random law: `LAW_SEED=7 npx mocha …` repeats the run that printed it. Without one each run draws its own; the
 * tests of a change always take the same, so that a change is never refused for a history that it has nothing to do with.
 */
const { LAW_SEED } = process.env;

if (LAW_SEED) fc.configureGlobal({ seed: Number(LAW_SEED) });
