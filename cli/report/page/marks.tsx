import type { ComponentChildren } from "preact";
import { type Message, textOf } from "../../../provider/messages/message";
import { settingInWords } from "../../settingWords";
import type { SiteView, Verdict } from "../../view/model";
import type { Standing } from "../conditions";

const SIGNS: Readonly<Record<Standing, string>> = {
  missing: "✗",
  drift: "≠",
  toApply: "…",
  unread: "!",
  unseen: "?",
  ok: "✓",
  none: "–",
};

export const STANDING_WORDS: Readonly<Record<Standing, string>> = {
  missing: "missing",
  drift: "drifted",
  toApply: "not applied yet",
  unread: "not read",
  unseen: "accepted, not reported",
  ok: "as declared",
  none: "not needed",
};

/** The standing of one condition, as a sign. */
export function Sign({ standing, setting }: { readonly standing: Standing; readonly setting: string }) {
  return <Mark standing={standing} words={`${settingInWords(setting)}: ${STANDING_WORDS[standing]}`} />;
}

const ITSELF_WORDS: Partial<Record<Standing, string>> = {
  missing: "a device reports a reason why it does not charge",
  ok: "no device reports a reason why it does not charge",
};

/** The statuses of a site's devices, as a sign. */
export function ItselfSign({ standing }: { readonly standing: Standing }) {
  return <Mark standing={standing} words={ITSELF_WORDS[standing] ?? STANDING_WORDS[standing]} />;
}

function Mark({ standing, words }: { readonly standing: Standing; readonly words: string }) {
  return (
    <span class={`sign ${standing}`} role="img" aria-label={words} title={words}>
      {SIGNS[standing]}
    </span>
  );
}

export function Legend() {
  return (
    <ul class="legend" aria-label="Signs">
      {(Object.keys(SIGNS) as Standing[]).map((standing) => (
        <li key={standing}>
          <span class={`sign ${standing}`} aria-hidden="true">
            {SIGNS[standing]}
          </span>{" "}
          {STANDING_WORDS[standing]}
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
