// In a container: the local chain and what stands around it, reachable from other containers at fixed ports.
import { connect, createServer } from 'node:net';
import { openLocalnet } from '@lending/localnet';

const localnet = await openLocalnet({ genesis: { kind: 'demo' }, folder: '/data/chain' });
await localnet.start();
const { rpcUrl, aggregatorUrls, switchboardUrl } = localnet;
const targets = { 8900: rpcUrl, 8901: aggregatorUrls.jupiter, 8902: aggregatorUrls.dflow, 8903: switchboardUrl };
for (const [port, url] of Object.entries(targets)) {
  const forward = createServer((socket) => {
    const there = connect(Number(new URL(url).port), '127.0.0.1');
    for (const end of [socket, there]) end.on('error', () => [socket, there].map((each) => each.destroy()));
    socket.pipe(there).pipe(socket);
  });
  forward.listen(Number(port), '0.0.0.0');
}
