import * as z from 'zod/mini';

/** GET /api/config: public facts that the client needs before anyone has signed in. */
export const AppConfig = z.object({
  version: z.string(),
  /** The number that photos are texted to, E.164; null while there is none. */
  phoneNumber: z.nullable(z.string()),
  inboundEmailEnabled: z.boolean(),
  caricaturesEnabled: z.boolean(),
  upload: z.object({ maxBytes: z.int(), maxFiles: z.int() }),
});
export type AppConfig = z.infer<typeof AppConfig>;
