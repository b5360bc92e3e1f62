/** What looks wrong about a site or a device, and is accepted; nothing if nothing does. */
export function Lints({ lints }: { readonly lints: readonly string[] }) {
  if (lints.length === 0) return null;
  return (
    <ul class="lints">
      {lints.map((text) => (
        <li key={text}>{text}</li>
      ))}
    </ul>
  );
}
