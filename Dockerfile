# The MXProof service with its embedded PostgreSQL, for amd64 and arm64. docs/guide/container.md says how to run it, ADR 0070 why it is
# as it is.
#   docker build -t mxproof .
# BASE is what the image stands on: any Debian from 12 on. BUILD_BASE has Node and npm; nothing of it is in the image.
ARG BASE=docker.io/library/debian:trixie-slim
ARG BUILD_BASE=docker.io/library/node:24-trixie-slim

FROM ${BUILD_BASE} AS build
WORKDIR /src
# Before the sources: a change of these does not install everything again.
COPY package.json package-lock.json .npmrc ./
COPY bench/package.json bench/
COPY cli/package.json cli/
COPY client/package.json client/
COPY common/package.json common/
COPY console/package.json console/
COPY engine/package.json engine/
COPY files/package.json files/
COPY fuzz/package.json fuzz/
COPY mcp/package.json mcp/
COPY server/package.json server/
COPY world/package.json world/
RUN npm ci
COPY . .
RUN node scripts/with-node.mjs node scripts/image-files.ts /image

FROM ${BASE}
ARG VERSION=unreleased
ARG REVISION=unknown
LABEL org.opencontainers.image.title="MXProof" \
      org.opencontainers.image.description="E-mail verification you run yourself: asks the mail server, never sends a message." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.source="https://github.com/mxproof/mxproof" \
      org.opencontainers.image.documentation="https://github.com/mxproof/mxproof/blob/main/docs/guide/container.md" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
# By name too: initdb asks what the user is called. A volume that is mounted on one of the folders gets its owner.
RUN groupadd --gid 10001 mxproof \
    && useradd --uid 10001 --gid 10001 --home-dir /data --no-create-home --shell /usr/sbin/nologin mxproof \
    && install -d -o mxproof -g mxproof -m 0700 /data /backups
COPY --from=build /image/ /
# By number, since Kubernetes takes no name as proof that it is not root.
USER 10001:10001
WORKDIR /data
ENV MALLOC_ARENA_MAX=2 \
    HOST=0.0.0.0 \
    PORT=8080 \
    MXPROOF_DATA_DIR=/data \
    MXPROOF_SHOW_FIRST_KEY=0
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=6s --start-period=60s CMD ["mxproof", "healthcheck"]
STOPSIGNAL SIGTERM
ENTRYPOINT ["mxproof-entrypoint"]
CMD ["serve"]
