# Rowhouse without a PostgreSQL of its own: DATABASE_URL (or DATABASE_URL_FILE) names one. Built for another processor without emulating it:
#   docker buildx build --platform linux/amd64,linux/arm64 --build-arg COMMIT=$(git rev-parse HEAD) -t rowhouse .
ARG NODE_IMAGE=node:22-bookworm-slim

FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS package
WORKDIR /source
COPY . .
# It installs what package-lock.json names before.
RUN node scripts/package.mjs /archive

# What has a binary of its own is fetched for the processor of the image. The embedded PostgreSQL stays out: it is larger than all the rest.
FROM --platform=$BUILDPLATFORM ${NODE_IMAGE} AS app
ARG TARGETARCH
ARG COMMIT=
COPY --from=package /archive /archive
WORKDIR /app
RUN tar -xzf /archive/rowhouse-*.tgz --strip-components=1 \
 && npm pkg delete optionalDependencies \
 && cpu="${TARGETARCH:-$(node -p process.arch)}" \
 && npm install --omit=dev --no-audit --no-fund --no-package-lock --os=linux --libc=glibc --cpu="$(echo "$cpu" | sed s/amd64/x64/)" \
 && if [ -n "$COMMIT" ]; then printf '{"commit":"%s"}\n' "$COMMIT" > server/dist/build.json; fi \
 && mkdir /empty

FROM ${NODE_IMAGE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 ROWHOUSE_DATA=/data
COPY --from=app /app /app
COPY --from=app --chown=1000:1000 /empty /data
WORKDIR /data
# The user `node`; by number, so that a cluster can see that it is not root.
USER 1000:1000
# Nothing else is written but temporary files, in /tmp.
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/ready`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "/app/bin/rowhouse.mjs"]
CMD ["serve"]
