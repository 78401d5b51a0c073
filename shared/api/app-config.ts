import * as z from 'zod/mini';
import { RemoteSourceConfig } from '../transfers/remote-source.ts';

/** Who may create an account. Invitations always work. */
export const Registration = z.enum(['open', 'invite', 'closed']);
export type Registration = z.infer<typeof Registration>;

/** GET /api/config: needs no session. */
export const AppConfig = z.object({
  version: z.string(),
  registration: Registration,
  /** "Sign in with …", an OpenID Connect provider; null without one. */
  oidcName: z.nullable(z.string()),
  /** The number that receives photos by SMS, E.164. */
  phoneNumber: z.nullable(z.string()),
  inboundEmailEnabled: z.boolean(),
  /** False: email or texts are stored in the outbox, since no mail server or SMS provider is set up. */
  emailEnabled: z.boolean(),
  smsEnabled: z.boolean(),
  /** Whether this browser can open the outbox once it has the key. */
  outboxEnabled: z.boolean(),
  caricaturesEnabled: z.boolean(),
  /** Where browsers allow passkeys for this album; null: nowhere, since it has no name or no https. */
  passkeyOrigin: z.nullable(z.string()),
  /** Where photos can be added from, besides the device. */
  remoteSources: z.array(RemoteSourceConfig),
  upload: z.object({ maxBytes: z.int(), maxFiles: z.int() }),
});
export type AppConfig = z.infer<typeof AppConfig>;

/** GET /dev/outbox/access: whether this browser has the key of the outbox. */
export const OutboxAccess = z.object({ hasKey: z.boolean() });
