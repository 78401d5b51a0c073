import * as z from 'zod';
import { text } from './setting-schemas.ts';

const httpUrl = text.refine(
  (value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol),
  'must be an address like https://api.openai.com/v1',
);

const variables = {
  OPENAI_API_KEY: text.optional(),
  OPENAI_BASE_URL: httpUrl.default('https://api.openai.com/v1'),
  OPENAI_IMAGE_MODEL: text.default('gpt-image-1.5'),
  OPENAI_IMAGE_QUALITY: z.enum(['auto', 'low', 'medium', 'high']).default('medium'),
  OPENAI_INPUT_FIDELITY: z.enum(['auto', 'low', 'high']).default('high'),
  OPENAI_PROMPT: text.optional(),
};

function toSettings(env: z.infer<z.ZodObject<typeof variables>>) {
  return env.OPENAI_API_KEY
    ? ({
        kind: 'openai',
        apiKey: env.OPENAI_API_KEY,
        baseUrl: env.OPENAI_BASE_URL,
        model: env.OPENAI_IMAGE_MODEL,
        quality: env.OPENAI_IMAGE_QUALITY,
        inputFidelity: env.OPENAI_INPUT_FIDELITY,
        /** Null for the default prompt. */
        prompt: env.OPENAI_PROMPT ?? null,
      } as const)
    : ({ kind: 'local' } as const);
}

export const caricatureGeneratorSettings = { variables, toSettings };
