/** Why a GPU's clocks are below what they could be, by NVML's bits. */
const REASONS: readonly (readonly [bit: number, name: string])[] = [
  [0x1, "gpu_idle"],
  [0x2, "applications_clocks_setting"],
  [0x4, "sw_power_cap"],
  [0x8, "hw_slowdown"],
  [0x10, "sync_boost"],
  [0x20, "sw_thermal_slowdown"],
  [0x40, "hw_thermal_slowdown"],
  [0x80, "hw_power_brake_slowdown"],
  [0x100, "display_clock_setting"],
];

/** Each reason by name, and whether it holds now. Bits that are not known are left out. */
export function throttleReasons(bits: number): Readonly<Record<string, boolean>> {
  return Object.fromEntries(REASONS.map(([bit, name]) => [name, (bits & bit) !== 0]));
}
