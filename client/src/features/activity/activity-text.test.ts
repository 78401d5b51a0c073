import { describe, expect, it } from 'vitest';
import type { Activity } from '#shared/accounts/activity';
import { activityText, groupActivity } from './activity-text.ts';

const event = (kind: string, changes: Partial<Activity> = {}): Activity => ({
  id: crypto.randomUUID(),
  kind,
  isByAdmin: false,
  device: 'Firefox on Windows',
  network: '203.0.113.0/24',
  createdAt: '2026-11-20T12:00:00.000Z',
  ...changes,
});

describe('groupActivity', () => {
  it('counts repeated events of one place, and keeps their order', () => {
    const guess = event('wrong-password');
    const groups = groupActivity([
      guess,
      event('wrong-password'),
      event('signed-in'),
      event('wrong-password'),
      event('wrong-password', { network: '198.51.100.0/24' }),
    ]);
    expect(groups.map(({ kind, count }) => [kind, count])).toEqual([
      ['wrong-password', 2],
      ['signed-in', 1],
      ['wrong-password', 1],
      ['wrong-password', 1],
    ]);
    expect(groups[0]?.id).toBe(guess.id);
  });
});

describe('activityText', () => {
  it('has a text for events of a later release', () => {
    expect(activityText(event('from-the-future'))).toBe('Something changed in this account');
  });
});
