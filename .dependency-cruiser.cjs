/**
 * The import table of the architecture, enforced. Each row lists what a room may import besides itself;
 * whatever of ours is not listed is an error. Files that only run in tests are judged by rows of their own.
 */
const LEAVES = ['lib/env.ts', 'lib/errors.ts', 'lib/database-error.ts', 'lib/logger.ts', 'lib/redact.ts'];
const PURE_LEAVES = ['lib/errors.ts', 'lib/database-error.ts', 'lib/redact.ts'];

const APP = ['components/', ...lib('services', 'auth', 'http', 'shapes', 'client', 'domain'), ...LEAVES];

/** @type {Record<string, string[]>} */
const TABLE = {
  app: APP,
  components: lib('domain', 'shapes', 'client'),
  'lib/client': lib('shapes', 'domain'),
  'lib/http': [...lib('auth', 'shapes'), ...LEAVES],
  'lib/auth': [...lib('shapes', 'domain'), 'db/', ...LEAVES],
  'lib/services': [...lib('domain', 'shapes', 'executor', 'downstream', 'auth'), 'db/', ...LEAVES],
  'lib/workers': [...lib('services', 'executor', 'downstream', 'domain'), 'db/', ...LEAVES],
  // published: it neither reads the environment nor chooses a logger
  'lib/executor': [...lib('domain', 'shapes'), 'db/queries/', 'db/client.ts', ...PURE_LEAVES],
  // a fault run: the executor in processes of its own, beside any downstream
  'lib/faults': [...lib('executor', 'domain', 'workers'), 'db/', ...LEAVES],
  'lib/downstream': [...lib('domain', 'shapes'), ...LEAVES],
  'lib/demo': ['lib/', 'db/', 'scripts/'],
  scripts: ['lib/', 'db/'],
  bench: ['lib/', 'db/'],
  e2e: ['lib/', 'db/', 'scripts/'],
  db: [...lib('domain'), ...LEAVES],
  'lib/shapes': lib('domain'),
  'lib/domain': [],
};

const OURS = '^(app|components|db|lib|scripts|bench|e2e|drizzle)/';
const TEST = '(\\.test\\.tsx?$)|(/testing/)|(/test-[^/]+\\.ts$)|(^e2e/)';
const BROWSER_ROOMS = '^(components|lib/client|lib/shapes|lib/domain)/';

/** @param {string[]} rooms */
function lib(...rooms) {
  return rooms.map((room) => `lib/${room}/`);
}

/** @param {string[]} prefixes */
function anyOf(prefixes) {
  return prefixes.map((prefix) => `^${prefix.replaceAll('.', '\\.')}`);
}

const rows = Object.entries(TABLE).map(([room, allowed]) => ({
  name: `${room.replace('/', '-')}-imports`,
  comment: `${room} may import itself${allowed.length > 0 ? `, ${allowed.join(', ')}` : ' and nothing else'}`,
  severity: 'error',
  from: { path: `^${room}/`, pathNot: room === 'e2e' ? [] : [TEST] },
  to: { path: OURS, pathNot: anyOf([`${room}/`, ...allowed]) },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    ...rows,
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'leaves-import-leaves',
      severity: 'error',
      from: { path: anyOf(LEAVES) },
      to: { path: OURS, pathNot: anyOf(LEAVES) },
    },
    {
      name: 'nothing-imports-demo-or-scripts',
      severity: 'error',
      from: { pathNot: ['^(lib/demo|scripts|bench)/', TEST, '^[^/]+\\.config\\.ts$'] },
      to: { path: '^(lib/demo|scripts|bench)/' },
    },
    {
      name: 'product-never-imports-tests',
      severity: 'error',
      // the snapshot and the demo's commands make a temporary database as the tests do
      from: { pathNot: [TEST, '^scripts/', '^vitest\\.config\\.ts$'] },
      to: { path: TEST },
    },
    {
      name: 'tests-leave-the-screens-alone',
      comment: 'a test below lib or db never reaches up into the console',
      severity: 'error',
      from: { path: '^(lib|db|scripts)/.*\\.test\\.tsx?$' },
      to: { path: '^(app|components)/' },
    },
    {
      name: 'primitives-know-no-feature',
      severity: 'error',
      from: { path: '^components/ui/' },
      to: { path: '^components/', pathNot: ['^components/ui/'] },
    },
    {
      name: 'domain-is-pure',
      comment: 'lib/domain imports nothing: no package, no node module',
      severity: 'error',
      from: { path: '^lib/domain/', pathNot: [TEST] },
      to: { pathNot: ['^lib/domain/'] },
    },
    {
      name: 'executor-is-published',
      severity: 'error',
      from: { path: '^(lib/executor|lib/domain|lib/shapes|db/queries)/', pathNot: [TEST] },
      to: { path: '^node_modules/(next|next-auth|react|react-dom|@tanstack|nuqs|oidc-provider)/' },
    },
    {
      name: 'executor-is-given-its-client',
      comment: 'it knows the type of a client; whoever uses it opens one',
      severity: 'error',
      from: { path: '^lib/executor/', pathNot: [TEST] },
      to: { path: '^db/client\\.ts$', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'browser-rooms-use-no-node-module',
      severity: 'error',
      from: { path: BROWSER_ROOMS, pathNot: [TEST] },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'browser-rooms-use-zod-mini',
      severity: 'error',
      from: { path: BROWSER_ROOMS, pathNot: [TEST] },
      to: { path: '^node_modules/zod/', pathNot: ['^node_modules/zod/(v4/)?mini'] },
    },
    {
      name: 'one-room-opens-connections',
      comment: 'drivers are imported below db only (and by scripts, the demo and tests)',
      severity: 'error',
      from: { pathNot: ['^(db|scripts|lib/demo|bench)/', TEST] },
      to: { path: '^node_modules/(pg|postgres)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'root-files-are-doors-of-the-app',
      comment:
        'proxy.ts and instrumentation*.ts import what app may, and what they close when the process stops',
      severity: 'error',
      from: { path: '^(proxy|instrumentation[^/]*)\\.ts$' },
      to: { path: OURS, pathNot: anyOf([...APP, 'lib/workers/', 'db/client.ts', 'instrumentation']) },
    },
    {
      name: 'resolvable',
      severity: 'error',
      from: {},
      to: { couldNotResolve: true, pathNot: ['^\\./\\.next/', '\\.next/'] },
    },
    {
      name: 'no-dev-dependency-in-the-product',
      severity: 'error',
      from: { path: '^(app|components|lib|db)/', pathNot: [TEST] },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg'], dependencyTypesNot: ['type-only'] },
    },
  ],
  options: {
    doNotFollow: { path: '^node_modules' },
    exclude: {
      path: '^bench/peers/(node_modules/|[^/]+\\.mjs$)|^(\\.next|\\.data|dist|public|test-results|playwright-report)/',
    },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
      mainFields: ['module', 'main', 'types'],
    },
  },
};
