# syntax=docker/dockerfile:1
# The dashboard. Build from the root of the repository:
#   docker build -f deploy/docker/web.Dockerfile -t nereid-web .

ARG NODE_VERSION=24

FROM node:${NODE_VERSION}-bookworm-slim AS build
WORKDIR /app
ENV TURBO_TELEMETRY_DISABLED=1 \
    NEXT_TELEMETRY_DISABLED=1
COPY . .
RUN --mount=type=cache,target=/root/.npm npm ci --loglevel=error
RUN npx turbo run build --filter=@nereid/web

FROM node:${NODE_VERSION}-bookworm-slim AS web
RUN mkdir --parents /state \
    && chown node:node /state
# Complete in itself: the server, its static files, the migrations and the native half of libsql.
COPY --from=build --link /app/apps/web/.next/standalone /app
WORKDIR /app/apps/web
ENV NODE_ENV=production \
    NEXT_TELEMETRY_DISABLED=1 \
    HOSTNAME=0.0.0.0 \
    PORT=3000 \
    NEREID_STATE_DIR=/state
USER 1000:1000
EXPOSE 3000
VOLUME ["/state"]
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s --start-interval=2s --retries=3 \
    CMD ["node", "-e", "fetch('http://127.0.0.1:3000/api/health').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "server.js"]
