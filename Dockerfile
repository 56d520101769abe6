FROM node:20-bookworm-slim AS build
# The SQLite binding is compiled where no prebuilt one can be fetched.
RUN apt-get update && apt-get install -y --no-install-recommends python3 make g++ && rm -rf /var/lib/apt/lists/*
WORKDIR /app
COPY package.json npm-shrinkwrap.json .npmrc ./
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:20-bookworm-slim
# Reached from outside at the first start: root gets a random password, which `docker logs` shows once.
ENV NODE_ENV=production HOST=0.0.0.0 TOLLGATE_HOME=/data GENERATE_ROOT_PASSWORD=true
WORKDIR /app
COPY --from=build /app/package.json /app/LICENSE ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
RUN mkdir /data && chown node:node /data && ln -s /app/dist/bin/tollgate.cjs /usr/local/bin/tollgate
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD node -e "fetch('http://127.0.0.1:' + (process.env.PORT || 3000) + '/healthz').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"
CMD ["node", "dist/bin/tollgate.cjs", "serve"]
