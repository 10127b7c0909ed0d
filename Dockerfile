# The service alone: no Hardhat, no compiler, no development tools. Node 24 runs the source; only the console is built.
FROM node:24.21.0-slim AS console
WORKDIR /app
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.mjs tsconfig.json ./
COPY patches ./patches
COPY packages ./packages
RUN npx -y pnpm@12.21.0 install --frozen-lockfile --filter '@agio/console...'
RUN node packages/console/scripts/build.ts

FROM node:24.21.0-slim AS install
WORKDIR /app
COPY package.json pnpm-lock.yaml pnpm-workspace.yaml .pnpmfile.mjs ./
COPY patches ./patches
COPY packages ./packages
# Of these, the service only needs the built page.
RUN rm -r packages/console packages/react packages/sdk
RUN npx -y pnpm@12.21.0 install --frozen-lockfile --prod --filter '@agio/server...'

FROM node:24.21.0-slim
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY --from=install /app ./
COPY --from=console /app/packages/console/dist ./packages/console/dist
# The look of the documentation.
COPY --from=console /app/packages/console/src/styles ./packages/console/src/styles
COPY --from=console /app/packages/console/src/icon.svg ./packages/console/src/icon.svg
COPY deployments ./deployments
COPY docs ./docs
COPY openapi.json ./
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
# Whether the process answers. A load balancer reads /health/ready.
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Node itself is process 1, so that SIGTERM reaches it.
CMD ["node", "--liftoff-only", "--max-semi-space-size=4", "--heap-growing-percent=25", \
  "--no-allocation-site-pretenuring", "packages/server/src/node.ts"]
