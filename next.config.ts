import type { NextConfig } from 'next';

const config: NextConfig = {
  poweredByHeader: false,
  reactStrictMode: true,
  typedRoutes: false,
  // `npm run verify` checks types; who only starts the product need not wait for that
  typescript: { ignoreBuildErrors: true },
  // drivers and the logger load their own files at run time
  serverExternalPackages: ['pg', 'postgres', 'pino'],
  // a lock file in a parent folder must not move the root
  turbopack: { root: import.meta.dirname },
  allowedDevOrigins: ['127.0.0.1'],
};

export default config;
