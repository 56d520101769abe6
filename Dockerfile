FROM node:24-bookworm-slim AS build
# The SQLite binding is compiled where no prebuilt one can be fetched.
RUN apt-get update \
  && apt-get install -y --no-install-recommends python3 make g++ \
  && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json npm-shrinkwrap.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
# At the end: what a compiler left beside the SQLite binding.
RUN npm run build \
  && npm prune --omit=dev --no-audit --no-fund \
  && chmod 755 dist/bin/tollgate.cjs \
  && rm -rf node_modules/sqlite3/deps node_modules/sqlite3/build/Release/obj* node_modules/sqlite3/build/Release/.deps

# Node alone: neither npm nor a compiler is in the image.
FROM debian:bookworm-slim
# tini is process 1: it passes signals on, also before the server listens to them, and collects ended processes.
RUN apt-get update \
  && apt-get install -y --no-install-recommends libstdc++6 tini \
  && rm -rf /var/lib/apt/lists/* \
  && useradd --uid 1000 --user-group --no-create-home --home-dir /data --shell /usr/sbin/nologin tollgate \
  && mkdir /data \
  && chown tollgate:tollgate /data \
  && ln -s /app/dist/bin/tollgate.cjs /usr/local/bin/tollgate
COPY --from=build /usr/local/bin/node /usr/local/bin/node
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# A call through the program as it is installed here. What Node compiled for it stays beside it, because the image may run read-only.
RUN tollgate demo && tollgate version
# Reached from outside at the first start: root gets a random password, which the log shows once.
ENV NODE_ENV=production HOST=0.0.0.0 TOLLGATE_HOME=/data GENERATE_ROOT_PASSWORD=true
# By number, so that Kubernetes can tell that it is not root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=120s --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["tini", "--", "tollgate"]
CMD ["serve"]
LABEL org.opencontainers.image.title="Tollgate" \
  org.opencontainers.image.description="AI model API gateway with exact prepaid billing" \
  org.opencontainers.image.licenses="MIT"
