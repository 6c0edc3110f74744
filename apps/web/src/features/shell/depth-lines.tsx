/** Isobaths, as on a sea chart: the quiet ground of the navigation. Decoration only. */
export function DepthLines() {
  return (
    <svg
      aria-hidden="true"
      viewBox="0 0 224 320"
      preserveAspectRatio="none"
      className="pointer-events-none absolute inset-x-0 bottom-0 h-80 w-full text-[oklch(0.84_0.125_186)] opacity-[0.16]"
      fill="none"
      stroke="currentColor"
    >
      <path vectorEffect="non-scaling-stroke" d="M-10 60C40 20 92 96 140 62S214 18 240 44" />
      <path vectorEffect="non-scaling-stroke" d="M-10 104C34 68 88 140 142 104s74-40 98-18" />
      <path vectorEffect="non-scaling-stroke" d="M-10 150C30 116 82 190 140 152s78-42 100-22" />
      <path vectorEffect="non-scaling-stroke" d="M-10 200C26 168 76 238 136 204s84-44 104-24" />
      <path vectorEffect="non-scaling-stroke" d="M-10 252C22 226 74 284 132 256s88-40 108-24" />
      <path vectorEffect="non-scaling-stroke" d="M-10 300C24 280 72 326 130 304s90-34 110-22" />
    </svg>
  );
}
