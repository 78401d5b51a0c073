/** Registers a user and returns the session cookie. */
export async function signUp(app: string, name: string): Promise<{ id: string; cookie: string }> {
  const response = await fetch(`${app}/api/register`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ email: `${name}@mems.example`, username: name, password: 'ten thousand paws' }),
  });
  if (response.status !== 201) throw new Error(`${name} could not register: ${await response.text()}`);
  const { id } = (await response.json()) as { id: string };
  const cookie = response.headers.getSetCookie().find((each) => each.startsWith('mems.sid='));
  return { id, cookie: cookie?.split(';')[0] ?? '' };
}
