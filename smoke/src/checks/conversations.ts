import type { Check } from './check.ts';

export const conversations: Check = {
  name: 'a conversation is opened, recorded, listed, renamed and deleted',
  async run({ service, token }) {
    if (token === null) return { skipped: 'there is no token: set LENDING_TOKEN for a service of your own' };
    const headers = { authorization: `Bearer ${token}` };
    const { id } = await service.ask('create_conversation', { headers, body: { title: 'Smoke test' } });
    const path = { id };
    await service.ask('get_status', { headers: { ...headers, 'x-conversation-id': id } });
    const { data: entries } = await service.ask('list_conversation_entries', { headers, path });
    const renamed = await service.ask('rename_conversation', { headers, path, body: { title: 'Smoke' } });
    const read = await service.ask('get_conversation', { headers, path });
    const { data: listed } = await service.ask('list_conversations', { headers });
    await service.ask('delete_conversation', { headers, path });
    const faults: string[] = [];
    if (entries.length !== 1) faults.push(`one call was made in it, and ${entries.length} were recorded`);
    if (renamed.title !== 'Smoke' || read.title !== 'Smoke') faults.push('it has another title than it was given');
    if (!listed.some((one: { id: string }) => one.id === id)) faults.push('it is not in the list');
    return { faults };
  },
};
