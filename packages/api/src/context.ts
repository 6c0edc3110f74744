import type { Actor, BaseContext, ServiceContext, SetupContext } from "@nereid/services";
import type { StreamLimit } from "./stream-limit.ts";

/** What the mount (the web app) knows about one HTTP request. */
export interface ApiContext {
  /** The signed-in user of this request; null without a session. */
  readonly actor: Actor | null;
  /** Names the session without giving it away; null without one. */
  readonly sessionId: string | null;
  /** Shared by all requests of the process. */
  readonly streams: StreamLimit;
  /** Looks the session up again, for streams that outlive a sign-out or a change of role. */
  readonly refreshActor: () => Promise<Actor | null>;
  readonly base: BaseContext;
  readonly hashPassword: SetupContext["hashPassword"];
  /** Called once the setup token is spent. */
  readonly onSetupDone: () => void;
  readonly nodes: ServiceContext["nodes"];
  readonly nodeControl: ServiceContext["nodeControl"];
  /** Id of the node that the request names; the local one where it names none. It may be unknown. */
  readonly nodeId: string;
  readonly history: ServiceContext["history"];
  readonly alerts: ServiceContext["alerts"];
  /** Ends streams when the process is to stop. */
  readonly shutdown: AbortSignal;
  /** Called with what went wrong and was not the caller's doing. */
  readonly logError: (error: unknown, path: string) => void;
}
