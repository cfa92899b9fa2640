# syntax=docker/dockerfile:1
# Trackside in a container: docs/deploying.md. Build it with `docker build -t trackside .`
#
# The bases are pinned by tag, so that a build gets their security fixes. To pin digests as well, pass them as
# build arguments, or let a tool such as Renovate add them.
ARG NODE_IMAGE=node:24-trixie-slim
ARG DEBIAN_IMAGE=debian:trixie-slim

# This Node only runs npm, which installs the Node that Trackside is tested with.
FROM ${NODE_IMAGE} AS build
# The pinned Node needs libatomic, which slim images lack.
RUN apt-get update \
 && apt-get install -y --no-install-recommends libatomic1 \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/*
WORKDIR /opt/trackside
COPY . .
# To install from your own registry, pass its settings: --secret id=npmrc,src=$HOME/.npmrc
RUN --mount=type=cache,target=/root/.npm \
    --mount=type=secret,id=npmrc,target=/root/.npmrc \
    npm ci --omit=dev
# What the bundled server uses at run time, which leaves out npm packages that are in the bundle, build tools
# and Node's headers.
RUN mkdir /image \
 && cp -a --parents -t /image \
      LICENSE package.json server/package.json server/dist server/src/store/migrations dashboard/dist \
      node_modules/.bin/node node_modules/node-linux-*/bin node_modules/node-linux-*/LICENSE \
      node_modules/chdb node_modules/@chdb node_modules/@clickhouse/client-common \
      node_modules/node-addon-api node_modules/node-gyp-build node_modules/crawler-user-agents

FROM ${DEBIAN_IMAGE}
LABEL org.opencontainers.image.title="Trackside" \
      org.opencontainers.image.description="Self-hosted, server-side web analytics" \
      org.opencontainers.image.licenses="MIT"
RUN apt-get update \
 && apt-get install -y --no-install-recommends libatomic1 \
 && rm -rf /var/lib/apt/lists/* /var/cache/apt/* \
 && useradd --uid 10001 --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin trackside \
 && install -d -o trackside -g trackside -m 0700 /data \
 && install -d -o trackside -g trackside -m 0755 /opt/trackside/compiled
COPY --from=build /image /opt/trackside
COPY --chmod=0755 deploy/docker/trackside deploy/docker/check-health /usr/local/bin/

ENV TRACKSIDE_HOST=0.0.0.0 \
    TRACKSIDE_PORT=8080 \
    TRACKSIDE_DATA_DIR=/data \
    NODE_COMPILE_CACHE=/opt/trackside/compiled
# A number, because Kubernetes can't tell from a name that it isn't root.
USER 10001:10001
# A first start shows that server, engine and health check work. It leaves compiled code behind, which makes
# every later start faster and saves 40 MB of memory, even on a read-only file system.
RUN export TRACKSIDE_DATA_DIR=/tmp/first-start TRACKSIDE_HOST=127.0.0.1 TRACKSIDE_PORT=47080 \
 && { trackside serve & } \
 && for second in $(seq 60); do sleep 1; trackside stats demo.test && break; done \
 && check-health && kill $! && wait $! && rm -rf /tmp/first-start

VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=15s --timeout=5s --start-period=30s \
  CMD ["check-health"]
# The server itself is the first process, so that it gets the SIGTERM and answers what has arrived.
ENTRYPOINT ["trackside"]
CMD ["serve"]
