import compression from 'compression';
import express, { type Express, type RequestHandler } from 'express';
import type passport from 'passport';
import type { AppContext } from '../context.ts';
import { caricatureRoutes } from '../caricatures/caricature-routes.ts';
import { configRoutes } from '../health/config-routes.ts';
import { eventRoutes } from '../events/event-routes.ts';
import { flipbookRoutes } from '../flipbooks/flipbook-routes.ts';
import { contactRoutes } from '../contacts/contact-routes.ts';
import { healthRoutes } from '../health/health-routes.ts';
import { imageRoutes } from '../images/image-routes.ts';
import { mmsRoutes } from '../ingest/texts/mms-routes.ts';
import { memoryRoutes } from '../memories/memory-routes.ts';
import { memoryTrashRoutes } from '../memories/memory-trash-routes.ts';
import { petRoutes } from '../pets/pet-routes.ts';
import { phoneVerificationRoutes } from '../phone-verification/phone-verification-routes.ts';
import { outboxRoutes } from '../outbox/outbox-routes.tsx';
import { shareRoutes } from '../public-links/share-routes.ts';
import { sharedPictureRoutes } from '../public-links/shared-picture-routes.tsx';
import { subscriptionRoutes } from '../contacts/subscription-routes.tsx';
import { sessionRoutes } from '../sessions/session-routes.ts';
import { uploadReceiverRoutes, uploadRoutes } from '../uploads/upload-routes.ts';
import { userRoutes } from '../users/user-routes.ts';
import { emailReceiverRoutes } from '../ingest/mail/email-routes.ts';
import { heldMessageRoutes } from '../ingest/mail/held-message-routes.ts';
import { inboundEmailRoutes } from '../users/inbound-email-routes.ts';
import { clientFiles } from './client-files.ts';
import { errorHandler, unknownRoute } from './error-handler.ts';
import { fontRoutes } from './fonts.ts';
import { requestLog } from './request-log.ts';
import { refuseOtherSites } from './same-site.ts';
import { securityHeaders } from './security-headers.ts';
import { rememberTimeZone } from './time-zone.ts';

const BODY_LIMIT = '256kb';

/**
 * The whole HTTP side, top to bottom in the order in which a request meets it. Routes name their full path, so that
 * the list of all routes can be read off the running app.
 */
export function createApp(
  context: AppContext & {
    authenticator: passport.Authenticator;
    session: RequestHandler;
    clientFolder: string;
    /** Where browsers put their photos, when that is not here. */
    uploadOrigin: string | null;
    checkDatabase: () => Promise<void>;
    isDraining: () => boolean;
  },
): Express {
  const { config } = context;
  const app = express();
  app.disable('x-powered-by');
  app.set('trust proxy', config.http.trustProxy);
  app.set('query parser', 'simple');
  if (config.http.isHttps) declareSecure(app);

  app.use(requestLog(context.logger), securityHeaders(config, context.uploadOrigin), compression());
  app.use(refuseOtherSites(config));
  app.use('/api', noCache);

  // Without a session: most of these answer even when the database does not.
  app.use(
    healthRoutes(context),
    configRoutes(context),
    fontRoutes(),
    uploadReceiverRoutes(context),
    mmsRoutes(context),
    emailReceiverRoutes(context),
  );

  app.use(
    ['/api', '/objects'],
    express.json({ limit: BODY_LIMIT }),
    context.session,
    rememberTimeZone(context),
  );
  app.use(
    sessionRoutes(context),
    userRoutes(context),
    inboundEmailRoutes(context),
    heldMessageRoutes(context),
    phoneVerificationRoutes(context),
    memoryRoutes(context),
    memoryTrashRoutes(context),
    petRoutes(context),
    caricatureRoutes(context),
    contactRoutes(context),
    shareRoutes(context),
    uploadRoutes(context),
    imageRoutes(context),
    flipbookRoutes(context),
    eventRoutes(context),
  );

  app.use(subscriptionRoutes(context), sharedPictureRoutes(context), outboxRoutes(context));

  app.use('/api', unknownRoute);
  app.use(clientFiles(context.clientFolder), unknownRoute);
  app.use(errorHandler);
  return app;
}

/** An answer may be kept, but is asked for again each time; an ETag saves its way. */
const noCache: RequestHandler = (_request, response, next) => {
  response.set('Cache-Control', 'private, no-cache');
  next();
};

/**
 * With a public https address each request is taken for secure: people come in through a proxy that ends TLS, and one
 * that forgets to say so would otherwise make the session cookie vanish without a word.
 */
function declareSecure(app: Express): void {
  Object.defineProperty(app.request, 'secure', { get: () => true });
}
