import reactHooks from 'eslint-plugin-react-hooks';
import globals from 'globals';
import tseslint from 'typescript-eslint';

const houseRules = {
  rules: {
    'kebab-case-file': {
      create: (context) => ({
        Program(node) {
          const name = context.filename.split('/').pop();
          if (!/^\.?[a-z0-9]+([-.][a-z0-9]+)*$/.test(name)) {
            context.report({ node, message: `File names are kebab-case: ${name}` });
          }
        },
      }),
    },
    'route-fetch-is-counted': {
      create: (context) => ({
        // The handler, whatever it calls the route.
        "CallExpression[callee.property.name='route'][arguments.length=2]"(node) {
          if (/\w\.fetch\(/.test(context.sourceCode.getText(node.arguments[1])))
            context.report({
              node,
              message: 'route.fetch outlives its test: say how often by { times }.',
            });
        },
      }),
    },
    'no-barrel-file': {
      create: (context) => ({
        ExportAllDeclaration: (node) =>
          context.report({ node, message: 'No barrel files: import from the source.' }),
        'ExportNamedDeclaration[source]': (node) =>
          context.report({ node, message: 'No re-exports: import from the source.' }),
      }),
    },
  },
};

const noDefaultExport = {
  selector: 'ExportDefaultDeclaration',
  message: 'Named exports only, so that an export has one name everywhere.',
};
const noOnly = {
  selector: 'MemberExpression[object.name=/^(describe|it|test)$/][property.name=/^(only|skip|todo|fixme)$/]',
  message: 'No focused or skipped tests.',
};
const noProcessEnv = {
  selector: "MemberExpression[object.name='process'][property.name='env']",
  message: 'Only server/platform/config/config.ts reads the environment.',
};

/** Patterns that make a test depend on the machine's speed, on the date or on other tests. */
const noDefaultWait = [
  {
    selector:
      "CallExpression[callee.object.name='vi'][callee.property.name=/^wait(For|Until)$/][arguments.length=1]",
    message: 'By default it waits one second: name a limit.',
  },
];
const noFlakiness = [
  { selector: "Literal[value='networkidle']", message: 'Wait for what the page shows.' },
  {
    selector: "CallExpression[callee.property.name='waitForTimeout']",
    message: 'Wait for what the page shows.',
  },
  {
    selector: 'CallExpression[callee.property.name=/^is(Visible|Hidden|Enabled|Disabled|Checked|Editable)$/]',
    message: 'Asks once, whatever is still loading: use expect(…).toBeVisible() and the like.',
  },
  {
    selector:
      "Property[key.name='hasText'][value.type=/^(Identifier|MemberExpression|TemplateLiteral|CallExpression|BinaryExpression)$/]",
    message: 'Also matches longer names: use getByText(…, { exact: true }) or a regular expression.',
  },
  {
    selector:
      ":matches(CallExpression[callee.object.name='Date'][callee.property.name='now'], NewExpression[callee.name='Date'][arguments.length=0])",
    message: 'Depends on the day: use now() of e2e/support/clock.ts.',
  },
];

export default tseslint.config(
  {
    ignores: [
      'dist/**',
      '.cache/**',
      'node_modules/**',
      'data/**',
      'test-results/**',
      'playwright-report/**',
    ],
  },
  {
    files: ['**/*.{ts,tsx}'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: { parserOptions: { projectService: true, tsconfigRootDir: import.meta.dirname } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { attributes: false } }],
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      eqeqeq: ['error', 'always'],
    },
  },
  { files: ['client/**/*.{ts,tsx}'], extends: [reactHooks.configs.flat.recommended] },
  { files: ['**/*.{js,mjs}'], languageOptions: { globals: globals.node } },
  {
    plugins: { house: houseRules },
    rules: {
      'house/kebab-case-file': 'error',
      'house/no-barrel-file': 'error',
      'no-restricted-syntax': ['error', noDefaultExport, noOnly],
    },
  },
  {
    files: ['server/**/*.ts'],
    ignores: ['server/platform/config/config.ts'],
    rules: { 'no-restricted-syntax': ['error', noDefaultExport, noOnly, noProcessEnv, ...noDefaultWait] },
  },
  {
    files: ['client/**/*.test.{ts,tsx}', 'shared/**/*.test.ts', 'scripts/**/*.test.mjs'],
    rules: { 'no-restricted-syntax': ['error', noDefaultExport, noOnly, ...noDefaultWait] },
  },
  {
    files: ['e2e/**/*.ts'],
    ignores: ['e2e/support/clock.ts', 'e2e/ui/*.test.ts'],
    rules: {
      'no-restricted-syntax': ['error', noDefaultExport, noOnly, ...noFlakiness],
      'house/route-fetch-is-counted': 'error',
    },
  },
  {
    files: ['*.config.{ts,js}', 'e2e/support/page-reporter.ts', 'scripts/test-runs/json-reporter.mjs'],
    rules: { 'no-restricted-syntax': ['error', noOnly] },
  },
);
