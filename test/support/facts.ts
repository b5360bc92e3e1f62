import { expect } from "chai";

/** Expects that a text for a user contains these facts: names, values, commands. Its words can change. */
export function expectFacts(text: string | undefined, facts: readonly unknown[]): void {
  expect(facts.filter((fact) => !text?.includes(String(fact)))).to.deep.equal([], text);
}

/** The pattern of a whole text in which `…` stands for words that can change: `fleet.yaml:3:5: sites.b: … 300 kWh…`. */
export function like(text: string): RegExp {
  const parts = text.split("…").map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^]*")}$`);
}

/** Expects these texts, each as in `like`. */
export function expectLike(texts: readonly string[], patterns: readonly string[]): void {
  expect(texts.map((text, index) => (like(patterns[index] ?? "").test(text) ? patterns[index] : text))).to.deep.equal(
    patterns,
  );
}
