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
    rules: { 'no-restricted-syntax': ['error', noDefaultExport, noOnly, noProcessEnv] },
  },
  {
    files: ['*.config.{ts,js}', 'e2e/page-reporter.ts', 'scripts/lib/json-reporter.mjs'],
    rules: { 'no-restricted-syntax': ['error', noOnly] },
  },
);
