import { describe, expect, it } from 'vitest';
import { renderFaults } from './render-faults.mjs';

const run = {
  kills: '40',
  'command-kills': '9',
  lanes: '2',
  stops: '3',
  seed: '7',
  minutes: 5,
  hasPassed: true,
  date: new Date(0),
};
const upload = (acknowledged, violations = []) => ({ name: 'upload', acknowledged, violations });
const rounds = [
  { seed: 7, kills: 20, operations: [upload(5)], violations: [] },
  { seed: 8, kills: 20, operations: [upload(6)], violations: [] },
  { command: 'backup', seed: 7, kills: 9 },
];

describe('the report of the fault tests', () => {
  it('adds the rounds up and names their seeds', () => {
    const text = renderFaults(rounds, run);
    expect(text).toContain('1970-01-01, passed after 5 minutes');
    expect(text).toContain('in 2 rounds with the seeds 7 to 8');
    expect(text).toContain('with 49 kills');
    expect(text).toContain('| backup | 9 | 9 | 0 | 0 | 0 |');
    expect(text).toContain('| upload | 11 | 40 | 0 | 0 | 0 |');
    expect(text).not.toContain('Failed rounds');
  });

  it('names each failed round with its reason and the command that repeats it', () => {
    const lost = [{ kind: 'lost', what: 'upload-3' }];
    const failed = [
      { ...rounds[0], operations: [upload(5, lost)] },
      { seed: 8, kills: 20, error: 'No answer' },
      { command: 'restore', seed: 8, kills: 4, error: 'A row is missing' },
    ];
    const text = renderFaults(failed, { ...run, hasPassed: false });
    expect(text).toContain('**failed**');
    expect(text).toContain('| upload | 5 | 20 | 1 | 0 | 0 |');
    expect(text).toContain('| restore | 3 | 4 | 0 | 0 | 0 |');
    expect(text).toMatch(/FAULTS_SEED=7 FAULTS_KILLS=20 .*: lost: upload-3/);
    expect(text).toMatch(/FAULTS_SEED=8 FAULTS_KILLS=20 .*: No answer/);
    expect(text).toMatch(/FAULTS_SEED=7 FAULTS_COMMAND_KILLS=4 .*backup-kills.*: A row is missing/);
  });
});
