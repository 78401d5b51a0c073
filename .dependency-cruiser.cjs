// Who may import whom. One rule a line; docs/ARCHITECTURE.md says why. Each was seen to fire.
const err = (name, from, to) => ({ name, severity: 'error', from, to });
/** The files of each client feature that other features may import. */
const publicFiles = [
  'app-config/app-config-api.ts',
  'app-config/not-sent-notice.tsx',
  'memories/gallery/gallery-bar.tsx',
  'memories/gallery/gallery-search-params.ts',
  'memories/details/lazy-memory-dialog.tsx',
  'memories/details/use-memory-dialog.ts',
  'memories/memory-image.tsx',
  'memories/memory-text.ts',
  'memories/store/memory-lists.ts',
  'memories/store/memory-mutations.ts',
  'memories/store/memory-store.ts',
  'contacts/contact-api.ts',
  'drafts/draft-owner.ts',
  'drafts/form-drafts.tsx',
  'exports/export-section.tsx',
  'passkeys/passkey-confirmation.tsx',
  'passkeys/passkey-sign-in.tsx',
  'passkeys/passkey-support.ts',
  'pets/pet-api.ts',
  'pets/pet-avatar.tsx',
  'pets/species.ts',
  'photos/photo.tsx',
  'second-factors/second-factor-api.ts',
  'sessions/confirm-identity.tsx',
  'sessions/session-api.ts',
  'sessions/sign-out-api.ts',
  'share-target/received-photos.ts',
  'share-target/received-thumbnails.tsx',
  'share-target/share-problem.tsx',
  'share-target/share-question.tsx',
  'shares/share-api.ts',
  'shares/share-link.tsx',
  'shares/use-share-link.ts',
  'uploads/one-photo.ts',
  'uploads/photo-facts.ts',
  'uploads/thumbnail/photo-thumbnail.ts',
  'uploads/photo-uploader-dialog.tsx',
  'uploads/retries.ts',
  'uploads/upload-session.ts',
  'users/current-user.ts',
  'users/unverified-email-notice.tsx',
  'users/use-confirmed-identity.ts',
  'users/user-fields.tsx',
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
    err('bench-is-imported-by-no-other-folder', { pathNot: '^bench/' }, { path: '^bench/' }),
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
    // The server's storeys: app above features above platform.
    err(
      'server-platform-imports-no-feature-and-no-app',
      { path: '^server/platform/', pathNot: '\\.test\\.tsx?$|/testing/' },
      { path: '^server/(app|features|demo)/' },
    ),
    err(
      'server-features-import-no-app',
      { path: '^server/features/', pathNot: '\\.test\\.tsx?$' },
      { path: '^server/(app|demo)/' },
    ),
    err('server-app-imports-no-demo', { path: '^server/app/' }, { path: '^server/demo/' }),
    err(
      'express-only-at-the-http-edge',
      {
        path: '^server/',
        pathNot:
          '^server/(app|platform/http)/|-(routes|middleware|request)\\.tsx?$|^server/features/(accounts/(sessions|sign-in)|remote-sources)/|^server/testing/',
      },
      { path: 'node_modules/(@types/)?express' },
    ),
    err(
      'drizzle-only-in-queries-and-db',
      { path: '^server/', pathNot: '^server/platform/(db|jobs)/|-queries\\.ts$|^server/testing/' },
      { path: 'node_modules/drizzle-orm' },
    ),
    err(
      'routes-use-queries-of-their-own-feature-only',
      { path: '^server/features/((?:accounts/)?[^/]+)/.*-routes\\.tsx?$' },
      {
        path: '-queries\\.ts$',
        pathNot: '^server/features/$1/|^server/features/accounts/users/user-queries\\.ts$',
      },
    ),
    err(
      'queries-know-no-service',
      { path: '-queries\\.ts$' },
      { path: '-(routes|service|job|presenter)\\.tsx?$|^server/platform/http/' },
    ),
    err(
      'vendor-sdk-only-in-platform',
      { path: '^(server|shared|client)/', pathNot: '^server/platform/' },
      { path: 'node_modules/(twilio|@aws-sdk|nodemailer|openai|openid-client|pg-boss)' },
    ),
    err(
      'adapters-are-named-only-in-compose',
      {
        path: '^server/(features|demo|app)/',
        pathNot: '^server/app/compose(-adapters|-backup|-data)?\\.ts|\\.test\\.ts$',
      },
      {
        path: '^server/platform/.*(openai|local-caricature|cartoon-filter|smtp-mailer|dev-outbox-|twilio|s3-object|disk-object|pg-boss|embedded-postgres)',
      },
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
