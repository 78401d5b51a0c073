/** In 'created' the uploader still shows that it is complete. */
export type AddMemoryStep = 'closed' | 'form' | 'photo' | 'created';
