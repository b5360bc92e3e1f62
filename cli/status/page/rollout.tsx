import type { Rollout } from "../../stacks/fleetRecord";
import { minuteOf } from "../words";
import { Badge } from "./marks";

const OUTCOMES = {
  done: ["good", "done"],
  stopped: ["bad", "stopped"],
  interrupted: ["warning", "interrupted"],
  failed: ["bad", "failed"],
} as const;

/** The last rollout, wave by wave. */
export function RolloutSection({ rollout: { time, outcome, reason, waves } }: { readonly rollout: Rollout }) {
  const [tone, words] = OUTCOMES[outcome];
  return (
    <section aria-labelledby="rollout">
      <h2 id="rollout">Last rollout</h2>
      <p>
        <Badge tone={tone}>{words}</Badge> {minuteOf(time)}
        {reason && `: ${reason}`}
      </p>
      <ol class="waves">
        {waves.map(({ wave, stacks, ok, failed, notDone }) => (
          <li key={wave} class={failed + notDone > 0 ? "wave bad" : "wave good"}>
            <strong>{wave}</strong>
            <span>
              {ok} ok{failed > 0 && `, ${failed} failed`}
              {notDone > 0 && `, ${notDone} not done`}
            </span>
            {stacks > 1 && <span class="muted">{stacks} stacks</span>}
          </li>
        ))}
      </ol>
    </section>
  );
}
