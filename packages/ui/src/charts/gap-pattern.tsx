/** Hatching of stretches without data; `id` names it on the page. Goes into a chart's `defs`. */
export function GapPattern({ id }: { readonly id: string }) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <rect width="6" height="6" fill="var(--raised)" fillOpacity="0.55" />
      <line x1="0" y1="0" x2="0" y2="6" stroke="var(--line-strong)" strokeWidth="1" strokeOpacity="0.45" />
    </pattern>
  );
}
