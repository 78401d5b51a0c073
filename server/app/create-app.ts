import compression from 'compression';
import express, { type Express, type Request, type RequestHandler, type Router } from 'express';
import type passport from 'passport';
import type { AppContext } from '../platform/context.ts';
import type { ActivityRecorder } from '../features/accounts/activity/activity-recorder.ts';
import { accountDeletionRoutes } from '../features/accounts/deletion/account-deletion-routes.ts';
import { activityRoutes } from '../features/accounts/activity/activity-routes.ts';
import { backupRoutes } from '../features/backups/backup-routes.ts';
import { findBackupState } from '../features/backups/nightly/backup-state.ts';
import { adminRoutes } from '../features/accounts/admin/admin-routes.ts';
import { batchRoutes } from '../features/batches/batch-routes.ts';
import { caricatureRoutes } from '../features/caricatures/caricature-routes.ts';
import { configRoutes } from '../features/app-config/app-config-routes.ts';
import type { EventHub } from '../features/events/event-hub.ts';
import { eventRoutes } from '../features/events/event-routes.ts';
import { exportRoutes } from '../features/exports/export-routes.ts';
import { importRoutes } from '../features/imports/import-routes.ts';
import { flipbookRoutes } from '../features/flipbooks/flipbook-routes.ts';
import { contactRoutes } from '../features/contacts/contact-routes.ts';
import { healthRoutes } from '../features/health/health-routes.ts';
import { imageRoutes } from '../features/images/image-routes.ts';
import { inboundSmsRoutes } from '../features/inbound-sms/inbound-sms-routes.ts';
import { invitationRoutes } from '../features/accounts/invitations/invitation-routes.ts';
import { memoryRoutes } from '../features/memories/memory-routes.ts';
import { memoryTrashRoutes } from '../features/memories/trash/memory-trash-routes.ts';
import { passkeyRoutes } from '../features/accounts/passkeys/passkey-routes.ts';
import { petRoutes } from '../features/pets/pet-routes.ts';
import { oidcRoutes } from '../features/accounts/oidc/oidc-routes.ts';
import { phoneVerificationRoutes } from '../features/phone-verification/phone-verification-routes.ts';
import { devOutboxRoutes } from '../features/dev-outbox/dev-outbox-routes.tsx';
import { shareRoutes } from '../features/shares/share-routes.ts';
import { sharePageRoutes } from '../features/shares/share-page-routes.tsx';
import { secondFactorRoutes } from '../features/accounts/second-factors/second-factor-routes.ts';
import { subscriptionRoutes } from '../features/contacts/subscription-routes.tsx';
import { sessionCookieName } from '../features/accounts/sessions/session-middleware.ts';
import { limitDatabaseConnections } from '../features/accounts/sessions/limits/limit-database-connections.ts';
import { limitVisitors } from '../features/accounts/sessions/limits/limit-visitors.ts';
import { limitWrites } from '../features/accounts/sessions/limits/limit-writes.ts';
import { sessionRoutes } from '../features/accounts/sessions/session-routes.ts';
import { signInRoutes } from '../features/accounts/user-api/sign-in-routes.ts';
import { uploadRecords } from '../features/uploads/upload-records.ts';
import { uploadReceiverRoutes, uploadRoutes } from '../features/uploads/upload-routes.ts';
import { emailChangeRoutes } from '../features/accounts/emailed-links/email-change-routes.ts';
import { passwordRoutes } from '../features/accounts/user-api/password-routes.ts';
import { userRoutes } from '../features/accounts/user-api/user-routes.ts';
import { inboundEmailRoutes } from '../features/inbound-email/receiving/inbound-email-routes.ts';
import { heldMessageRoutes } from '../features/inbound-email/held-messages/held-message-routes.ts';
import { inboundEmailSettingsRoutes } from '../features/inbound-email/inbound-email-settings-routes.ts';
import { REMOTE_PATH } from '#shared/transfers/remote-source';
import type { RemoteSources } from '../features/remote-sources/create-remote-sources.ts';
import { UnauthorizedError } from '../platform/errors.ts';
import { revalidate } from '../platform/http/responses/cache-control.ts';
import { clientFiles } from '../platform/http/pages/client-files.ts';
import { errorHandler, recordRejections, unknownRoute } from '../platform/http/error-handler.ts';
import { fontRoutes } from '../platform/http/pages/fonts.ts';
import { rejectOtherHosts } from '../platform/http/security/own-host.ts';
import { createProxyWarnings } from '../platform/http/security/proxy-warnings.ts';
import { requestLog } from '../platform/http/request-log.ts';
import { rejectOtherSites } from '../platform/http/security/same-site.ts';
import { shareTargetRoutes } from '../platform/http/pages/share-target.ts';
import { securityHeaders } from '../platform/http/security/security-headers.ts';
import { storeLastSeen } from '../features/accounts/sessions/last-seen-middleware.ts';
import { storeTimeZone } from '../features/accounts/users/time-zone-middleware.ts';

const parseUserJson = express.json({ limit: '256kb' });
/** Names, passwords, tokens and passkeys. */
const parseVisitorJson = express.json({ limit: '16kb' });

/** A larger body than a visitor may send comes from a page whose session has ended. */
function parseJson(sessionCookie: string): RequestHandler {
  const isFromPage = (request: Request) => request.headers.cookie?.includes(`${sessionCookie}=`);
  return (request, response, next) => {
    if (request.user) return parseUserJson(request, response, next);
    parseVisitorJson(request, response, (error?: { status?: number }) =>
      next(error?.status === 413 && isFromPage(request) ? new UnauthorizedError() : error),
    );
  };
}

/** Authenticated by a signature or a secret. */
const SIGNED_PATHS = ['/uploads', '/api/sms/incoming', '/api/email/incoming'];
const PUBLIC_PAGES = ['/unsubscribe', '/preferences', '/p', '/dev'];

type HealthParts = AppContext & {
  checkDatabase: () => Promise<void>;
  isDraining: () => boolean;
  startupWarnings: string[];
};

type AppParts = HealthParts & {
  authenticator: passport.Authenticator;
  session: RequestHandler;
  events: EventHub;
  activity: ActivityRecorder;
  /** Null when no source is configured. */
  remoteSources: RemoteSources | null;
  clientFolder: string;
  /** The storage's origin, if browsers upload photos there. */
  uploadOrigin: string | null;
};

/** Of a process that only runs jobs. */
export function createWorkerApp(context: HealthParts): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', context.config.http.trustProxy);
  app.use(requestLog(context.logger), securityHeaders(context.config, null));
  app.use(
    health(context, () => context.startupWarnings),
    unknownRoute,
    errorHandler,
  );
  return app;
}

function health(context: HealthParts, warnings: () => string[]): Router {
  return healthRoutes({ ...context, warnings, findBackupState: () => findBackupState(context) });
}

/** Middleware and routes in order. Routes name their full path, so that a test can list them all. */
export function createApp(context: AppParts): Express {
  const { config } = context;
  const proxyWarnings = createProxyWarnings(config, context.logger);
  const warnings = () => [...context.startupWarnings, ...proxyWarnings.list()];
  const visitorLimits = limitVisitors(context);
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', config.http.trustProxy);
  app.set('query parser', 'simple');
  if (config.http.isHttps) markSecure(app);

  app.use(requestLog(context.logger), securityHeaders(config, context.uploadOrigin), compression());
  app.use(proxyWarnings.watch, rejectOtherHosts(config), rejectOtherSites(config));
  app.use('/api', revalidate);

  // Without a session: most of these answer even if the database is down.
  app.use(health(context, warnings), configRoutes(context), fontRoutes(), shareTargetRoutes());
  app.use(SIGNED_PATHS, visitorLimits.rejected);
  app.use(
    uploadReceiverRoutes(context, uploadRecords(context)),
    inboundSmsRoutes(context),
    inboundEmailRoutes(context),
  );

  app.use(
    ['/api', '/objects', REMOTE_PATH],
    context.session,
    visitorLimits.all,
    parseJson(sessionCookieName(config)),
    limitWrites(context),
    limitDatabaseConnections,
    storeTimeZone(context),
    storeLastSeen(context),
  );
  app.use(...featureRoutes(context, warnings));
  if (context.remoteSources) app.use(context.remoteSources.routes);

  app.use(PUBLIC_PAGES, visitorLimits.all, limitDatabaseConnections);
  app.use(subscriptionRoutes(context), sharePageRoutes(context), devOutboxRoutes(context));

  app.use(['/api', REMOTE_PATH], unknownRoute);
  app.use(clientFiles(context.clientFolder, sessionCookieName(config)), unknownRoute);
  app.use(recordRejections(context), errorHandler);
  return app;
}

/** The most frequent first: Express looks through all routes before the right one. */
function featureRoutes(context: AppParts, warnings: () => string[]): Router[] {
  return [
    imageRoutes(context),
    memoryRoutes(context),
    userRoutes(context),
    passwordRoutes(context),
    accountDeletionRoutes(context),
    emailChangeRoutes(context),
    activityRoutes(context),
    signInRoutes(context),
    sessionRoutes(context),
    secondFactorRoutes(context),
    passkeyRoutes(context),
    oidcRoutes(context),
    inboundEmailSettingsRoutes(context),
    heldMessageRoutes(context),
    phoneVerificationRoutes(context),
    memoryTrashRoutes(context),
    petRoutes(context),
    caricatureRoutes(context),
    contactRoutes(context),
    shareRoutes(context),
    uploadRoutes(context),
    batchRoutes(context),
    flipbookRoutes(context),
    exportRoutes(context),
    importRoutes(context),
    eventRoutes(context),
    invitationRoutes(context),
    adminRoutes({ ...context, warnings }),
    backupRoutes(context),
  ];
}

/** Behind a TLS proxy without X-Forwarded-Proto, express-session would silently drop the secure cookie. */
function markSecure(app: Express): void {
  Object.defineProperty(app.request, 'secure', { get: () => true });
}
