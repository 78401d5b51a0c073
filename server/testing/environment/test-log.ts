import { pino } from 'pino';
import type { SecurityRecord } from '../../platform/logging/security-log.ts';

/** A logger whose lines a test reads. */
export function createTestLog() {
  const lines: { security?: SecurityRecord }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line) as (typeof lines)[number]);
  return {
    logger: pino({ level: 'info' }, { write }),
    lines,
    securityEvents: () => lines.flatMap(({ security }) => security ?? []),
  };
}
