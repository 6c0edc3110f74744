# syntax=docker/dockerfile:1
# The data plane. Build from the root of the repository:
#   docker build -f deploy/docker/server.Dockerfile --target server -t nereid-server .
# Target server-gpu adds CUDA; see docs/deploy.md.

ARG NODE_VERSION=24
ARG CUDA_VERSION=12.6.3

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /app
ENV TURBO_TELEMETRY_DISABLED=1
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci --loglevel=error
RUN npx turbo run build --filter=@nereid/server
RUN node deploy/docker/assemble-server.mjs /image

# The engine's CUDA libraries do not come with its npm package; its install script fetches them.
FROM build AS build-gpu
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates \
    && rm -rf /var/lib/apt/lists/*
RUN ONNXRUNTIME_NODE_INSTALL=cuda12 npm rebuild onnxruntime-node --ignore-scripts=false --foreground-scripts \
    && node deploy/docker/assemble-server.mjs /image \
    && test -f "/image/node_modules/onnxruntime-node/bin/napi-v6/linux/$(node -p process.arch)/libonnxruntime_providers_cuda.so"

FROM nvidia/cuda:${CUDA_VERSION}-cudnn-runtime-ubuntu24.04 AS server-gpu
COPY --from=build /usr/local/bin/node /usr/local/bin/node
RUN (getent passwd 1000 > /dev/null || useradd --uid 1000 --create-home node) \
    && mkdir --parents /models /state \
    && chown 1000:1000 /state
COPY --from=build-gpu --link /image /app
WORKDIR /app
ENV NODE_ENV=production \
    NEREID_MODEL_REPOSITORY=/models \
    NEREID_STATE_DIR=/state
USER 1000:1000
EXPOSE 8000 8001 8002
VOLUME ["/state"]
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=180s --start-interval=2s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:8000/v2/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "apps/server/dist/server.js"]
CMD ["--http-address=0.0.0.0", "--model-control-mode=explicit", "--load-model=*", "--exit-on-error=false", "--log-format=ISO8601"]

FROM node:${NODE_VERSION}-bookworm-slim AS server
RUN mkdir --parents /models /state \
    && chown node:node /state
COPY --from=build --link /image /app
WORKDIR /app
ENV NODE_ENV=production \
    NEREID_MODEL_REPOSITORY=/models \
    NEREID_STATE_DIR=/state
USER 1000:1000
EXPOSE 8000 8001 8002
VOLUME ["/state"]
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=180s --start-interval=2s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:8000/v2/health/live').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "apps/server/dist/server.js"]
CMD ["--http-address=0.0.0.0", "--model-control-mode=explicit", "--load-model=*", "--exit-on-error=false", "--log-format=ISO8601"]
