import express, { Router } from 'express';
import * as z from 'zod/mini';
import type { AppContext } from '../../platform/context.ts';
import { savePreferences, unsubscribe } from './subscription.ts';
import {
  findSubscription,
  listPetChoices,
  type PetChoice,
  type Subscription,
} from './subscription-queries.ts';
import { tokenParam } from '../../platform/http/validate.ts';
import { getDisplayName } from '../accounts/users/user-queries.ts';
import { sendLinkNotFound, sendPublicPage } from '../../platform/http/pages/public-page.tsx';

const Ids = z.pipe(
  z.optional(z.union([z.string(), z.array(z.string())])),
  z.transform((ids) => new Set(ids === undefined ? [] : [ids].flat())),
);
const PreferencesForm = z.object({ frequency: z.enum(['every', 'weekly', 'none']), pet: Ids, offered: Ids });

type Context = Pick<AppContext, 'config' | 'db' | 'jobs' | 'clock' | 'securityLog'>;

/** Public pages. A GET changes nothing, since mail scanners follow links. */
export function subscriptionRoutes(context: Context): Router {
  const { db } = context;
  const router = Router();
  const form = express.urlencoded({ extended: false, limit: '64kb' });

  router.get('/unsubscribe/:token', async (request, response) => {
    const subscription = await findSubscription(db, tokenParam(request));
    if (!subscription) return sendUnknownLink(context, request, response);
    const owner = getDisplayName(subscription.owner);
    sendPublicPage(response, {
      title: 'Stop these emails',
      children: subscription.unsubscribedAt ? (
        <Unsubscribed owner={owner} token={tokenParam(request)} />
      ) : (
        <UnsubscribeForm owner={owner} />
      ),
    });
  });

  // Email programs post here too (RFC 8058 one-click). The token authorizes the request, whatever the body.
  router.post('/unsubscribe/:token', form, async (request, response) => {
    const token = tokenParam(request);
    const subscription = await unsubscribe(context, token);
    if (!subscription) return sendUnknownLink(context, request, response);
    const owner = getDisplayName(subscription.owner);
    sendPublicPage(response, { title: 'Stopped', children: <Unsubscribed owner={owner} token={token} /> });
  });

  router.get('/preferences/:token', async (request, response) => {
    const subscription = await findSubscription(db, tokenParam(request));
    if (!subscription) return sendUnknownLink(context, request, response);
    await sendPreferences(context, response, subscription, false);
  });

  router.post('/preferences/:token', form, async (request, response) => {
    const form = z.safeParse(PreferencesForm, request.body);
    const token = tokenParam(request);
    const found = form.success
      ? await savePreferences(context, token, {
          frequency: form.data.frequency,
          offeredPets: form.data.offered,
          mutedPets: new Set([...form.data.offered].filter((id) => !form.data.pet.has(id))),
        })
      : null;
    const subscription = await findSubscription(db, token);
    if (!subscription) return sendUnknownLink(context, request, response);
    await sendPreferences(context, response, subscription, found !== null);
  });

  return router;
}

function sendUnknownLink(
  { securityLog }: Context,
  request: express.Request,
  response: express.Response,
): void {
  securityLog.record('unknown-link', 'failure', { request, details: { of: 'subscription' } });
  sendLinkNotFound(response);
}

async function sendPreferences(
  { db }: Context,
  response: express.Response,
  subscription: Subscription,
  isSaved: boolean,
): Promise<void> {
  const { contact, owner, unsubscribedAt } = subscription;
  const ownerName = getDisplayName(owner);
  if (!contact) {
    const children = (
      <>
        <h1>
          You no longer get emails from <bdi>{ownerName}</bdi>
        </h1>
        <p>
          <bdi>{ownerName}</bdi> has removed you from the list of this album. There is nothing you need to do.
        </p>
      </>
    );
    return sendPublicPage(response, { title: 'Email preferences', children });
  }
  const frequency = unsubscribedAt ? 'none' : contact.frequency;
  const pets = await listPetChoices(db, contact.ownerId, contact.id);
  sendPublicPage(response, {
    title: 'Email preferences',
    children: <Preferences ownerName={ownerName} frequency={frequency} pets={pets} isSaved={isSaved} />,
  });
}

function UnsubscribeForm({ owner }: { owner: string }) {
  return (
    <>
      <h1>
        Stop emails from <bdi>{owner}</bdi>?
      </h1>
      <p>You will no longer get photos from this album. Nobody else is notified.</p>
      <form method="post">
        <button type="submit">Stop these emails</button>
      </form>
    </>
  );
}

function Unsubscribed({ owner, token }: { owner: string; token: string }) {
  return (
    <>
      <h1>
        You will no longer get emails from <bdi>{owner}</bdi>
      </h1>
      <p>Changed your mind? You can choose what you get at any time.</p>
      <p>
        <a href={`/preferences/${token}`}>Choose what you get</a>
      </p>
    </>
  );
}

const FREQUENCIES = [
  ['every', 'Every new photo'],
  ['weekly', 'Once a week, in one email'],
  ['none', 'Nothing'],
] as const;

interface PreferencesProps {
  ownerName: string;
  frequency: 'every' | 'weekly' | 'none';
  pets: PetChoice[];
  isSaved: boolean;
}

function Preferences({ ownerName, frequency, pets, isSaved }: PreferencesProps) {
  return (
    <>
      <h1>
        What would you like to get from <bdi>{ownerName}</bdi>?
      </h1>
      {isSaved && <p role="status">Saved.</p>}
      <form method="post">
        <fieldset>
          <legend>How often</legend>
          {FREQUENCIES.map(([value, text]) => (
            <label key={value}>
              <input type="radio" name="frequency" value={value} defaultChecked={value === frequency} />
              {text}
            </label>
          ))}
        </fieldset>
        {pets.length > 0 && (
          <fieldset>
            <legend>Photos of</legend>
            {pets.map(({ id, name, isMuted }) => (
              <label key={id}>
                <input type="hidden" name="offered" value={id} />
                <input type="checkbox" name="pet" value={id} defaultChecked={!isMuted} />
                <bdi>{name}</bdi>
              </label>
            ))}
          </fieldset>
        )}
        <button type="submit">Save</button>
      </form>
    </>
  );
}
