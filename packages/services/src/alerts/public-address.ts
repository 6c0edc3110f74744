import { BlockList, isIP, isIPv6 } from "node:net";

/** Networks that messages are not sent to: this machine, private and link-local ones, those of metadata services, multicast and reserved. */
const INSIDE = new BlockList();
for (const [network, bits] of [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 4],
  ["240.0.0.0", 4],
] as const) {
  INSIDE.addSubnet(network, bits, "ipv4");
}
/** Of IPv6 only what is routed on the internet is let through; the rest, with what embeds IPv4, is not. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet("2000::", 3, "ipv6");
const EMBEDDING = new BlockList();
EMBEDDING.addSubnet("2001::", 23, "ipv6");
EMBEDDING.addSubnet("2001:db8::", 32, "ipv6");
EMBEDDING.addSubnet("2002::", 16, "ipv6");

/** Whether an address lies on the internet and not inside. False for what is no address. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 0) return false;
  if (isIPv6(address)) return GLOBAL.check(address, "ipv6") && !EMBEDDING.check(address, "ipv6");
  return !INSIDE.check(address, "ipv4");
}
