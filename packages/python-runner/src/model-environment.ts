type Variables = Readonly<Record<string, string | undefined>>;

/** What a model's libraries ask for most: where caches are, which language and time zone, where temporary files go. */
const ALWAYS = ["HOME", "LANG", "LC_ALL", "TZ", "TMPDIR"];

/** Variables of the server that a model's process gets besides those of every runner. `pass`: further names, `*` = all. */
export function modelEnvironment(server: Variables, pass: readonly string[]): Readonly<Record<string, string>> {
  const names = pass.includes("*") ? Object.keys(server) : [...ALWAYS, ...pass];
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = server[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
