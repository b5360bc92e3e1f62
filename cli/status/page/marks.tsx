import type { ComponentChildren } from "preact";
import { type Message, textOf } from "../../../provider/messages/message";
import type { SiteView, Verdict } from "../../view/model";
import { settingInWords } from "../../words";
import type { ConditionState } from "../conditions";

const SIGNS: Readonly<Record<ConditionState, string>> = {
  missing: "✗",
  inactive: "⊘",
  drift: "≠",
  toApply: "…",
  unread: "!",
  kept: "~",
  unseen: "?",
  ok: "✓",
  none: "–",
};

export const CONDITION_WORDS: Readonly<Record<ConditionState, string>> = {
  missing: "missing",
  inactive: "a device reports that it does not charge",
  drift: "drifted",
  toApply: "not applied yet",
  unread: "not read",
  kept: "changed by somebody, and kept (onDrift)",
  unseen: "accepted, not reported",
  ok: "as declared",
  none: "not needed",
};

/** The state of one condition, as a sign. */
export function Sign({ state, setting }: { readonly state: ConditionState; readonly setting: string }) {
  return <Mark state={state} words={`${settingInWords(setting)}: ${CONDITION_WORDS[state]}`} />;
}

/** A state as a sign. @param words for screen readers and a pointer */
export function Mark({ state, words }: { readonly state: ConditionState; readonly words: string }) {
  return (
    <span class={`sign ${state}`} role="img" aria-label={words} title={words}>
      {SIGNS[state]}
    </span>
  );
}

export function Legend() {
  return (
    <ul class="legend" aria-label="Signs">
      {(Object.keys(SIGNS) as ConditionState[]).map((state) => (
        <li key={state}>
          <span class={`sign ${state}`} aria-hidden="true">
            {SIGNS[state]}
          </span>{" "}
          {CONDITION_WORDS[state]}
        </li>
      ))}
    </ul>
  );
}

type Tone = "good" | "bad" | "warning" | "quiet";

export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return <span class={`badge ${tone}`}>{children}</span>;
}

/** Shows if a site is ready according to the declared and accepted values. */
export function ReadyBadge({ solar, ready, change }: Pick<SiteView, "solar" | "ready" | "change">) {
  if (change === "leaving") return <Badge tone="quiet">was {ready ? "ready" : "not ready"}</Badge>;
  if (!solar) return <Badge tone="quiet">no solar</Badge>;
  return ready ? <Badge tone="good">ready</Badge> : <Badge tone="bad">not ready</Badge>;
}

const VERDICTS: Readonly<Record<Verdict, readonly [Tone, string]>> = {
  ready: ["good", "ready"],
  notReady: ["bad", "not ready"],
  unknown: ["warning", "not known"],
};

/** Shows if a site is ready according to the values that are reported now. */
export function VerdictBadge({ observed }: { readonly observed: SiteView["observed"] }) {
  if (!observed) return <span class="muted">–</span>;
  const [tone, words] = VERDICTS[observed.verdict];
  return <Badge tone={tone}>{words}</Badge>;
}

/** Warnings about accepted values of a site or a device. */
export function Warnings({ warnings }: { readonly warnings: readonly Message[] }) {
  if (warnings.length === 0) return null;
  return (
    <ul class="lints">
      {warnings
        .map((one) => textOf(one))
        .map((text) => (
          <li key={text}>{text}</li>
        ))}
    </ul>
  );
}
