import { prepareSparkline } from "./prepare-sparkline.ts";

const SIZE = { width: 88, height: 20 };

/** A trend without axes. `label` says it in words. */
export function Sparkline({ values, label }: { readonly values: readonly (number | null)[]; readonly label: string }) {
  const path = prepareSparkline(values, SIZE);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 -1 ${SIZE.width} ${SIZE.height + 2}`}
      className="h-5.5 w-22 overflow-visible"
    >
      <line x1="0" x2={SIZE.width} y1={SIZE.height} y2={SIZE.height} stroke="var(--line)" />
      {path === "" ? null : (
        <path
          d={path}
          fill="none"
          stroke="var(--series-infer)"
          strokeWidth="1.5"
          strokeLinejoin="round"
          strokeLinecap="round"
        />
      )}
    </svg>
  );
}
