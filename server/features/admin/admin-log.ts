import type { AppContext } from '../../platform/context.ts';

export type AdminEvent =
  | 'admin.user-edited'
  | 'admin.user-deleted'
  | 'admin.password-reset-link'
  | 'admin.invite-created'
  | 'admin.invite-revoked';

/** The only place that records what administrators do. */
export function logAdminAct(
  { logger }: Pick<AppContext, 'logger'>,
  request: { id: string; user?: { id: string } | undefined },
  event: AdminEvent,
  details: Record<string, unknown>,
): void {
  logger.info({ event, actorId: request.user?.id, req: { id: request.id }, ...details }, 'administration');
}
