/** The program of a process that makes load; bundled by itself. */
import "@nereid/perf/generator";
