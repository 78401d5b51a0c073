// Who may import whom. One rule a line; docs/ARCHITECTURE.md says why. Each was seen to fire.
const err = (name, from, to) => ({ name, severity: 'error', from, to });
/** The files of each client feature that other features may import. */
const publicFiles = [
  'app-config/app-config-api.ts',
  'memories/gallery/gallery-bar.tsx',
  'memories/gallery/gallery-search-params.ts',
  'memories/memory-image.tsx',
  'memories/memory-text.ts',
  'memories/store/memory-lists.ts',
  'memories/store/memory-store.ts',
  'pets/pet-api.ts',
  'session/session-api.ts',
  'shares/share-api.ts',
  'uploads/photo-uploader-dialog.tsx',
  'uploads/upload-session-api.ts',
].map((file) => `^client/src/features/${file.replace('.', '\\.')}$`);
module.exports = {
  forbidden: [
    err('no-cycles', {}, { circular: true }),
    err(
      'shared-imports-only-zod',
      { path: '^shared/', pathNot: '\\.test\\.ts$' },
      { pathNot: '^shared/|node_modules/zod' },
    ),
    err('client-never-imports-server', { path: '^client/' }, { path: '^server/' }),
    err('nobody-imports-the-bench', { pathNot: '^bench/' }, { path: '^bench/' }),
    err('server-never-imports-client', { path: '^server/' }, { path: '^client/' }),
    err(
      'client-foundations-know-no-feature',
      { path: '^client/src/(ui|lib)/' },
      { path: '^client/src/(features|pages|app)/' },
    ),
    err(
      'client-features-know-no-page',
      { path: '^client/src/features/' },
      { path: '^client/src/(pages|app)/' },
    ),
    err('client-pages-know-no-app', { path: '^client/src/pages/' }, { path: '^client/src/app/' }),
    err(
      'client-feature-imports-public-files-of-another',
      { path: '^client/src/features/([^/]+)/' },
      { path: '^client/src/features/', pathNot: ['^client/src/features/$1/', ...publicFiles] },
    ),
    err(
      'express-only-at-the-http-edge',
      { path: '^server/', pathNot: '^server/http/|-routes\\.tsx?$|^server/testing/' },
      { path: 'node_modules/(@types/)?express' },
    ),
    err(
      'drizzle-only-in-queries-and-db',
      {
        path: '^server/',
        pathNot: '^server/db/|-queries\\.ts$|^server/adapters/job-queue/|^server/testing/',
      },
      { path: 'node_modules/drizzle-orm' },
    ),
    err(
      'routes-use-queries-of-their-own-feature-only',
      { path: '^server/([^/]+)/.*-routes\\.tsx?$' },
      { path: '-queries\\.ts$', pathNot: '^server/$1/' },
    ),
    err(
      'queries-know-no-service',
      { path: '-queries\\.ts$' },
      { path: '-(routes|service|job|presenter)\\.tsx?$|^server/(http|adapters|ports)/' },
    ),
    err(
      'ports-know-nothing-of-the-server',
      { path: '^server/ports/' },
      { path: '^server/', pathNot: '^server/(ports|db/database)' },
    ),
    err(
      'adapters-are-named-only-in-compose',
      { path: '^server/', pathNot: '^server/(compose\\.ts|adapters/|testing/)|\\.test\\.ts$' },
      { path: '^server/adapters/' },
    ),
    err(
      'only-programs-and-testing-import-compose',
      { path: '^server/', pathNot: '^server/(program\\.ts|testing/)' },
      { path: '^server/compose\\.ts$' },
    ),
    err(
      'vendor-sdk-only-in-adapters',
      { path: '^(server|shared|client)/', pathNot: '^server/adapters/' },
      { path: 'node_modules/(twilio|@aws-sdk|nodemailer|openai|pg-boss)' },
    ),
    err(
      'testing-only-from-tests',
      { path: '^(client|server|shared)/', pathNot: '/testing/|\\.test\\.tsx?$' },
      { path: '/testing/' },
    ),
  ],
  options: {
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'require', 'node', 'default', 'types'],
    },
  },
};
