import { describe, expect, it } from "vitest";
import { FLAGS } from "./flag-table.ts";
import { parseOptions } from "./parse-options.ts";
import type { ServerOptions } from "./server-options.ts";

const noFiles = () => undefined;
const parse = (...args: string[]): ServerOptions => {
  const parsed = parseOptions(["--model-repository=/m", ...args], {}, noFiles);
  if (parsed.kind !== "run") throw new Error("the help was asked for");
  return parsed.options;
};

/** A right value and a wrong one for options whose kind does not give them; undefined = every text is right. */
const VALUES: Readonly<Record<string, readonly [right: string, wrong: string | undefined]>> = {
  "http-address": ["127.0.0.2", undefined],
  "model-control-mode": ["explicit", "sometimes"],
  "backend-config": ["python,shm-default-size=1", "python"],
  "http-restricted-api": ["health:k=v", "healt:k=v"],
  "http-header-forward-pattern": ["^x-.*", "("],
  "log-verbose": ["2", "loud"],
  "grpc-infer-thread-count": ["2", "1"],
  "grpc-max-response-pool-size": ["1", "0"],
  "cuda-memory-pool-byte-size": ["0:1", "1"],
  "cuda-virtual-address-size": ["0:1", "a:1"],
  "model-load-gpu-limit": ["0:0.5", "0:2"],
  "min-supported-compute-capability": ["6.0", "six"],
  "host-policy": ["p,cpu-cores=0-1", "p,cpu-cores=1-0"],
  "cache-config": ["local,size=1", "local"],
  "rate-limit": ["execution_count", "always"],
  "rate-limit-resource": ["R:1:0", "R"],
  "warm-up-batch-sizes": ["powers", "some"],
  "overload-status": ["429", "500"],
  "runner-user": ["1000:1000", "nobody"],
  "runner-network": ["none", "maybe"],
  "sagemaker-safe-port-range": ["1-2", "1"],
};

/** Read by the parsers of other files, or needing others beside them. */
const ELSEWHERE =
  /^(?:grpc-|trace-|log-format|log-file|metrics-config|load-(?:model|on-demand$|priority)|http-server|http-root|http-use|server-config)/;

const right = (name: string): string => {
  const kind = FLAGS[name]?.kind;
  return VALUES[name]?.[0] ?? (kind === "whole" ? "7" : kind === "boolean" ? "true" : "text");
};

describe("every option", () => {
  const names = Object.keys(FLAGS).filter((name) => name !== "help" && (!ELSEWHERE.test(name) || name in VALUES));

  it.each(names)("--%s is taken as --x=v and as --x v", (name) => {
    const value = right(name);
    expect(parse(`--${name}`, value)).toEqual(parse(`--${name}=${value}`));
  });

  it.each(names.filter((name) => FLAGS[name]?.kind === "boolean"))("--%s alone means true", (name) => {
    expect(parse(`--${name}`)).toEqual(parse(`--${name}=true`));
    expect(parse(`--${name}=off`)).toEqual(parse(`--${name}=0`));
  });

  it.each(
    names.flatMap((name) => {
      const kind = FLAGS[name]?.kind;
      const wrong = VALUES[name]?.[1] ?? (kind === "whole" || kind === "boolean" ? "perhaps" : undefined);
      return wrong === undefined ? [] : [[name, wrong] as const];
    }),
  )("--%s=%s is refused with the option, the value and what it takes", (name, wrong) => {
    let text = "";
    try {
      parse(`--${name}=${wrong}`);
    } catch (error) {
      text = error instanceof Error ? error.message : "";
    }
    expect(text).toMatch(new RegExp(`^Bad option: "--${name}"\\. `));
    expect(text).toContain(wrong);
    expect(text).toMatch(/expected|must be/);
  });

  it.each(Object.entries(FLAGS).filter(([, { noEffect }]) => noEffect !== undefined))(
    "--%s says why it has no effect, once it is given",
    (name, { noEffect }) => {
      expect(parse().notices).toEqual([]);
      expect(parse(`--${name}=${right(name)}`).notices).toEqual([
        { option: `--${name}`, text: `no effect: ${noEffect}` },
      ]);
      expect(noEffect?.length).toBeGreaterThan(20);
    },
  );

  it("has its default in the help, or needs none", () => {
    const parsed = parseOptions(["--help"], {});
    const text = parsed.kind === "help" ? parsed.text : "";
    for (const name of Object.keys(FLAGS)) expect(text).toContain(`--${name}`);
  });
});

describe("the command line", () => {
  it.each([
    ["--model-repositroy=/x", "--model-repository"],
    ["--http_port=1", "--http-port"],
    ["--log-verbos", "--log-verbose"],
    ["--Strict-Readiness", "--strict-readiness"],
    ["-model-repository", "--model-repository"],
  ])("suggests what %s means", (argument, meant) => {
    expect(() => parse(argument)).toThrow(`Unrecognized option: "${argument}". Did you mean ${meant}?`);
  });

  it("takes the beginning of an option for the whole of it when it advises", () => {
    expect(() => parse("--model-repo=/m")).toThrow("Did you mean --model-repository?");
  });

  it("does not take an empty --model-repository for the current directory", () => {
    expect(() => parse("--model-repository=")).toThrow('"--model-repository". it names no directory');
  });

  it.each(["--zzzzzzzzzzzz", "--", "model", "--constructor", "--__proto__=1"])("refuses %s", (argument) => {
    expect(() => parse(argument)).toThrow(`Unrecognized option: "${argument}". Use --help for the list.`);
  });

  it("takes several repositories, by either name", () => {
    expect(parse("--model-repository=/b", "--model-store", "/c").modelRepositories).toEqual(["/m", "/b", "/c"]);
  });

  it("asks for a repository", () => {
    expect(() => parseOptions([], {}, noFiles)).toThrow("--model-repository=<directory>");
    expect(() => parse("--model-repository=s3://bucket/models")).toThrow("is in a cloud");
  });

  it.each([
    [[], 0],
    [["--log-verbose"], 1],
    [["--log-verbose=3"], 3],
    [["--log-verbose", "2", "--log-info=false"], 2],
    [["--log-verbose", "--log-info=false"], 1],
    [["--log-verbose=off"], 0],
  ] as const)("reads the verbosity of %j", (args, verbose) => {
    expect(parse(...args).log.verbose).toBe(verbose);
  });

  it("keeps settings of backends by backend and key, and the last one counts", () => {
    const { backendConfig, defaultMaxBatchSize } = parse(
      "--backend-config=default-max-batch-size=9",
      "--backend-config=python,shm-default-size=1",
      "--backend-config=python,shm-default-size=2",
      "--backend-config=onnxruntime,default-max-batch-size=3",
    );
    expect(backendConfig.get("python")?.get("shm-default-size")).toBe("2");
    expect(defaultMaxBatchSize).toBe(3);
    expect(parse("--backend-config=default-max-batch-size=9").defaultMaxBatchSize).toBe(9);
    expect(() => parse("--backend-config=default-max-batch-size=many")).toThrow('got "many"');
  });

  it.each([
    [["--http-port=9000", "--metrics-port=9000"], /metrics-port.*--http-port/],
    [["--http-port=9000", "--grpc-port=9000"], /grpc-port.*--http-port/],
    [["--load-model=a"], /requires setting '--model-control-mode=explicit'/],
    [["--model-control-mode=explicit", "--load-model=a", "--load-model=*"], /must be the ONLY startup model/],
    [["--http-address=0.0.0.0"], /--management-key=<secret>/],
    [["--grpc-address=0.0.0.0"], /--management-key=<secret>/],
    [
      ["--cache-config=local,size=1", "--response-cache-byte-size=1"],
      /^Error: Incompatible flags --response-cache-byte-size and --cache-config both provided\./,
    ],
    [["--http-use-ssl", "--http-server-key=k"], /--http-server-cert=<file.pem>/],
    [["--http-use-ssl", "--http-server-cert=c"], /--http-server-key=<file.pem>/],
    [["--http-use-ssl-mutual", "--http-server-cert=c", "--http-server-key=k"], /--http-root-cert=<file.pem>/],
    [
      ["--http-restricted-api=health:a=b", "--http-restricted-api=metadata,health:c=d"],
      /'health' can not be specified/,
    ],
    [["--http-restricted-api=nothing:a=b"], /unknown restricted api 'nothing'; expected health, metadata/],
    [["--http-restricted-api=health"], /expected <api>/],
    [["--id"], /needs a value/],
  ])("refuses %j", (args, text) => {
    expect(() => parse(...args)).toThrow(text);
  });

  it("reads restrictions with any value, and TLS files", () => {
    const options = parse(
      "--http-restricted-api=health, metadata:X-Key=a=b:c",
      "--http-use-ssl-mutual",
      "--http-server-cert=c",
      "--http-server-key=k",
      "--http-root-cert=r",
    );
    expect(options.restrictedApis).toEqual([{ categories: ["health", "metadata"], header: "X-Key", value: "a=b:c" }]);
    expect(options.httpTls).toEqual({ certificate: "c", key: "k", root: "r" });
  });

  it("turns auto-completion off by the new name and by the old one", () => {
    expect(parse("--disable-auto-complete-config").autoComplete).toBe(false);
    expect(parse("--strict-model-config=true").autoComplete).toBe(false);
    expect(parse("--strict-model-config=false").autoComplete).toBe(true);
    expect(parse("--strict-model-config=false").notices[0]?.text).toContain("deprecated");
  });
});

describe("--http-header-forward-pattern", () => {
  const finds = (pattern: string, name: string) =>
    parse(`--http-header-forward-pattern=${pattern}`).httpForwardPattern?.test(name);

  it.each([
    ["x-tenant", "X-Tenant-Id", true],
    ["^x-", "ax-b", false],
    ["(?-i)x-tenant", "X-Tenant", false],
    ["(?-i)x-tenant", "x-tenant", true],
    ["(?i)ABC", "abc", true],
    ["(?P<rest>trace)", "my-trace", true],
    ["\\Ax\\z", "x", true],
    ["\\Qa.b\\E", "axb", false],
    ["^[[:alpha:]]+$", "abc", true],
    ["^[[:alpha:]]+$", "ab1", false],
  ])("%s on %s: %s", (pattern, name, found) => {
    expect(finds(pattern, name)).toBe(found);
  });
});

describe("command lines of articles", () => {
  it("tritonserver --model-repository=/models --model-control-mode=poll", () => {
    expect(parse("--model-control-mode=poll")).toMatchObject({ controlMode: "poll", pollSecs: 15, notices: [] });
  });

  it("tritonserver --log-verbose=1 --backend-config=python,shm-default-size=2147483648", () => {
    const options = parse("--log-verbose=1", "--backend-config=python,shm-default-size=2147483648");
    expect(options.log.verbose).toBe(1);
    expect(options.backendConfig.get("python")?.get("shm-default-size")).toBe("2147483648");
    expect(options.notices).toEqual([]);
  });
});

describe("config.pbtxt at the root of a repository", () => {
  const withFile = (text: string, ...args: string[]) => {
    const parsed = parseOptions(["--model-repository=/m", ...args], {}, (file) =>
      file === "/m/config.pbtxt" ? text : undefined,
    );
    if (parsed.kind !== "run") throw new Error("the help was asked for");
    return parsed.options;
  };
  const FILE = `model_config_list: [ { config: { name: "my_resnet" platform: "pytorch" max_batch_size: 16 } } ]
backend_config: [ { backend: "python" parameters: { key: "shm-default-size" value: "4294967296" } } ]`;

  it("gives defaults to models and backends, and says what is odd about it", () => {
    const options = withFile(FILE);
    expect(options.modelDefaults.get("my_resnet")?.config.maxBatchSize).toBe(16);
    expect(options.backendConfig.get("python")?.get("shm-default-size")).toBe("4294967296");
    expect(options.notices).toMatchObject([{ option: "/m/config.pbtxt", text: expect.stringMatching(/^1:.*pytorch/) }]);
  });

  it("gives way to the command line", () => {
    const options = withFile(FILE, "--backend-config=python,shm-default-size=1");
    expect(options.backendConfig.get("python")?.get("shm-default-size")).toBe("1");
  });

  it("is refused with line and column when it is wrong", () => {
    expect(() => withFile('model_config_list {\n  config { name: "a" max_bach_size: 1 }\n}')).toThrow(
      /^\/m\/config\.pbtxt:2:22: .*max_batch_size/,
    );
  });

  it("that is the configuration of a model is left alone, and that is said", () => {
    const options = withFile('name: "m" max_batch_size: 4');
    expect(options.modelDefaults.size).toBe(0);
    expect(options.notices[0]?.text).toContain("<model>/config.pbtxt");
  });

  it("is not looked for when --server-config names another file", () => {
    expect(() => withFile(FILE, "--server-config=/elsewhere.pbtxt")).toThrow("cannot read /elsewhere.pbtxt");
  });
});
