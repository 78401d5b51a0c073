import type { Logger } from 'pino';
import { clientIp } from '../client-info/client-ip.ts';
import { AppError } from '../errors.ts';
import type { KeyedHash } from '../security/keyed-hash.ts';
import type { SecurityDetails, SecurityEvent } from '../security/security-events.ts';

/** `failure`: a wrong password, code, signature or link. `refused`: a rule or a limit. */
type SecurityOutcome = 'success' | 'failure' | 'refused';

export type SecurityRecord = {
  event: SecurityEvent;
  outcome: SecurityOutcome;
  /** The account that the event is about. */
  userId: string | null;
  /** The signed-in user, if that is someone else: an administrator. */
  actorId: string | null;
  /** Tells sessions apart. The id itself would be a credential. */
  sessionHash: string | null;
  ip: string | null;
  requestId: string | null;
  details: SecurityDetails;
};

export type SecuritySource = {
  /** Absent in jobs, commands and the SMTP receiver. */
  request?: {
    id: string;
    ip?: string | undefined;
    sessionID?: string;
    user?: { id: string } | undefined;
    headers?: { 'user-agent'?: string | undefined };
  };
  /** If it is not the signed-in user. */
  userId?: string | undefined;
  /** If there is no request. */
  ip?: string;
  details?: SecurityDetails;
};

export type SecurityLog = {
  record(event: SecurityEvent, outcome: SecurityOutcome, source: SecuritySource): void;
  /**
   * Records how `act` ends: success, or a failure if it throws a 4xx. `userIdOf` names the account if no user is signed in,
   * `detailsOf` adds what only the result tells.
   */
  attempt<T>(
    event: SecurityEvent,
    source: SecuritySource,
    act: () => Promise<T>,
    userIdOf?: (result: T) => string | null,
    detailsOf?: (result: T) => SecurityDetails,
  ): Promise<T>;
};

/** Who did what to which account, as lines of the log. `onRecord` must neither throw nor wait. */
export function createSecurityLog({
  logger,
  keyedHash,
  onRecord,
}: {
  logger: Logger;
  keyedHash: KeyedHash;
  onRecord?: (record: SecurityRecord, source: SecuritySource) => void;
}): SecurityLog {
  return { record, attempt };

  function record(event: SecurityEvent, outcome: SecurityOutcome, source: SecuritySource): void {
    const security = toRecord(event, outcome, source);
    logger[outcome === 'success' ? 'info' : 'warn']({ security }, 'security event');
    onRecord?.(security, source);
  }

  async function attempt<T>(
    event: SecurityEvent,
    source: SecuritySource,
    act: () => Promise<T>,
    userIdOf?: (result: T) => string | null,
    detailsOf?: (result: T) => SecurityDetails,
  ): Promise<T> {
    try {
      const result = await act();
      const details = { ...source.details, ...detailsOf?.(result) };
      record(event, 'success', { userId: userIdOf?.(result) ?? undefined, ...source, details });
      return result;
    } catch (error) {
      // The error handler records an error that has its own event.
      if (error instanceof AppError && error.status < 500 && !error.details.security)
        record(event, 'failure', { ...source, details: { ...source.details, status: error.status } });
      throw error;
    }
  }

  function toRecord(
    event: SecurityEvent,
    outcome: SecurityOutcome,
    { request, userId, ip, details = {} }: SecuritySource,
  ): SecurityRecord {
    const actorId = request?.user?.id ?? null;
    const sessionId = request?.user && request.sessionID;
    return {
      event,
      outcome,
      userId: userId ?? actorId,
      actorId: userId !== undefined && userId !== actorId ? actorId : null,
      sessionHash: sessionId ? keyedHash('security-log session', sessionId) : null,
      ip: ip ?? (request ? clientIp({ ip: request.ip }) : null),
      requestId: request?.id ?? null,
      details,
    };
  }
}
