const TEST_FILES = {
  app: ['FAULTS_KILLS', 'random-kills'],
  command: ['FAULTS_COMMAND_KILLS', 'backup-kills'],
};

/** The report of `npm run test:faults`, in Markdown. A round that failed is named with the command that repeats it. */
export function renderFaults(rounds, { minutes, hasPassed, date, ...options }) {
  const ofApp = rounds.filter((round) => !round.command);
  const ofCommands = rounds.filter((round) => round.command);
  // A round of the app that ended early was killed an unknown number of times.
  const countKills = (some) =>
    some.reduce((sum, { command, kills, error }) => sum + (error && !command ? 0 : kills), 0);
  const appKills = countKills(ofApp);
  const rows = new Map();
  const add = (name, acknowledged, kills, violations) => {
    const row = rows.get(name) ?? { acknowledged, kills, lost: 0, twice: 0, stuck: 0 };
    if (rows.has(name) && acknowledged !== null) row.acknowledged += acknowledged;
    for (const { kind } of violations) row[kind]++;
    rows.set(name, row);
  };
  for (const { command, kills, error } of ofCommands) add(command, error ? kills - 1 : kills, kills, []);
  for (const round of ofApp) {
    for (const { name, acknowledged, violations } of round.operations ?? [])
      add(name, acknowledged, appKills, violations);
    add('whole installation', null, appKills, round.violations ?? []);
  }
  const failed = rounds.filter(isFailed).map((round) => {
    const reasons = round.error
      ? [round.error]
      : allViolations(round).map(({ kind, what }) => `${kind}: ${what}`);
    const [variable, file] = TEST_FILES[round.command ? 'command' : 'app'];
    // A restore's seed is the one after its backup's.
    const seed = round.command ? options.seed : round.seed;
    return `- \`FAULTS_SEED=${seed} ${variable}=${round.kills} npx vitest run server/testing/faults/${file}.test.ts\`: ${reasons.join('; ')}`;
  });
  const last = ofApp.length > 0 ? Math.max(...ofApp.map((round) => round.seed)) : options.seed;
  const args = ['kills', 'command-kills', 'lanes', 'stops', 'seed'].map(
    (name) => `--${name} ${options[name]}`,
  );
  return [
    '# Faults',
    '',
    `The last run of \`npm run test:faults -- ${args.join(' ')}\`, on`,
    `${date.toISOString().slice(0, 10)}, ${hasPassed ? 'passed' : '**failed**'} after ${minutes} minutes, with ${countKills(rounds)} kills by \`kill -9\`. The app was killed ${appKills} times`,
    `at random moments under load, in ${ofApp.length} rounds with the seeds ${options.seed} to ${last}. ${ofCommands.map(({ command, seed, kills }) => `A ${command} was killed ${kills} times (seed ${seed}).`).join(' ')} In other`,
    `rounds the app’s Postgres was stopped immediately ${options.stops} times.`,
    '',
    '| Operation | Acknowledged | Kills | Lost | Twice | Stuck |',
    '| --- | --- | --- | --- | --- | --- |',
    ...[...rows].map(
      ([name, { acknowledged, kills, lost, twice, stuck }]) =>
        `| ${name} | ${acknowledged ?? ''} | ${kills} | ${lost} | ${twice} | ${stuck} |`,
    ),
    '',
    'Every operation of the app runs all the time, so that each kill of the app interrupts all of them. The whole installation',
    'includes the images and their bytes, orphaned objects, the counted storage, the queue, and the emails to contacts. After each',
    'kill a backup is made again, and must name the same objects by their SHA-256. A restore is repeated, and its rows and objects',
    'are compared with the original.',
    '',
    'An SMS that Twilio accepts in the moment of a kill is sent again, since Twilio has no idempotency keys. It is not counted',
    'as sent twice.',
    ...(failed.length > 0 ? ['', '## Failed rounds', '', ...failed] : []),
    '',
  ].join('\n');
}

function allViolations({ violations = [], operations = [] }) {
  return [...violations, ...operations.flatMap((each) => each.violations)];
}

function isFailed(round) {
  return Boolean(round.error) || allViolations(round).length > 0;
}
