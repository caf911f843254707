/**
 * What must be true of the running service, as a user would say it. Scenarios cite the ids they prove; a test fails on an id
 * that nothing cites, and on a citation that is not here.
 */
export const REQUIREMENTS = {
  'start-serves-banks': 'npm start on an installed clone serves the demo banks of all five venues, and says where',
  'start-says-what-to-try': 'the banner names the URLs, the chain and slot, a wallet to try and three calls that work',
  'rates-follow-slots': 'rates of the demo banks change as the chain’s slots pass',
  'mcp-both-generations': 'clients of both MCP generations get the same banks as REST',
  'mcp-conformance':
    'the official MCP conformance suite passes all that applies, in its stable release and for 2025-11-25 and 2026-07-28',
  'mcp-story':
    'clients of both MCP generations create, deposit, borrow, repay, withdraw, loop and close, within the limits',
  'mcp-hostile': 'what is no message of the protocol is refused in its words, and who hangs up leaves nothing behind',
  'kill-loses-nothing': 'after kill -9 and a restart no sample is lost or doubled, and slots go on upward',
  'stop-is-clean':
    'Ctrl-C stops the process with code 0 and leaves no child behind; a second start goes on with the same data',
  'reset-clears': 'npm run reset removes the data, wherever it lives',
  'genesis-equals-recordings': 'a genesis of one real bank gives the recorded totals, rates, limits, weights and price',
  'services-shape': 'three services with Kafka and Postgres, wired as in docker-compose.yml, serve the same banks',
  'compose-valid':
    'the compose files are what compose itself reads, in every combination, and start in the right order',
  'compose-confined': 'no container has more of the machine than it needs, and only what people look at has a port',
  'compose-settings':
    'what compose tells a program is what the program reads, and no secret is shown where files hold them',
  'compose-runs':
    'with a container engine the compose files come up from nothing, serve, survive what operators do to them, and name a mistake in one line',
  'proxy-valid': 'the proxy before several apis understands its configuration',
  'proxy-callers': 'the proxy says who asks, whatever a request claims, and shows nobody the metrics',
  'proxy-spares':
    'the proxy sends nothing to an api that is about to stop, or that is gone, as long as there is another',
  'manifests-valid':
    'the manifests are what Kubernetes and the operators take, strictly, in its oldest and newest version',
  'manifests-confined': 'no pod has more of the cluster than it needs, and only what is named may talk to it',
  'manifests-settings': 'what the manifests tell a program is what the program reads, from secrets that are named once',
  'manifests-rollout':
    'pods are replaced one by one, asked how they are at paths that exist, and given the time to finish',
  'manifests-watched': 'the metrics, alarms and dashboards of the manifests are those of infra, under the same names',
  'image-files': 'an image holds what its service runs on, and nothing else',
  'image-starts': 'what an image holds starts, and says in one line what it was not told',
  'image-serves': 'the images, their jobs among them, serve what the services serve',
  'services-survive-kills':
    'each of the three services can be killed and started again; afterwards every message has its row, once',
  'services-stop':
    'each of the three services ends with 0 when it is told to, while Kafka, Postgres or all it depends on is away; afterwards every message has its row, once',
  'rpc-unreachable':
    'an unreachable RPC node gives one clear line and 503 with the reason; the process waits and recovers',
  'wrong-owner': 'a group that belongs to another program gives one clear line and 503 with the reason',
  'truncated-account': 'a bank cut short is named in coverage.banks_skipped; the others are served',
  'disk-full': 'a full disk gives one clear line and 503 with the reason; work goes on by itself when there is room',
  'chains-stay-apart':
    'a data folder of one chain is refused to another, in one line, and a lost local chain goes on above its old slots',
  'port-taken': 'a taken port ends the start with one line that names the port',
  'setting-wrong':
    'a wrong setting ends the start with one line that names the variable, the value and what is allowed',
  'history-outage':
    'three hours without a poller, or without a node, are gaps of just that length; nothing is carried into them, means leave them out',
  'history-outage-shown': 'while nothing is sampled, /readyz, /v1/status, coverage and every answer say since when',
  'history-late': 'samples that reach the log an hour late end in the same rows as if they had come in time',
  'history-clock':
    'a reading whose clock is hours off leaves no row; a clock that stays hours off is believed after five, and is a gap',
  'history-one-poller':
    'of two pollers one samples; when it ends the other goes on within seconds, when it is cut off nothing is doubled or missing',
  'history-nonsense':
    'reserves that say nonsense are gaps in their history and that of their banks, counted by venue and reason, and nobody else’s',
  'positions-equal-program':
    'positions and health of random accounts are what the program itself works out, to the bit',
  'chaos-equal-tables':
    'whatever is cut, killed, doubled, reordered or rolled back: the tables end as those of an indexer that nothing happened to',
  'chaos-equal-chain':
    'and they are what the chain itself holds: every account, and every transaction that did something',
  'silence-made-up': 'what a node does not tell is found by asking for it',
  'chaos-honest-status':
    'meanwhile /v1/status never says more than is so, and says when accounts are no longer followed',
  'builders-matrix':
    'every action, at every venue, with every kind of token, lands and changes balances and health exactly as it said',
  'builders-random':
    'of random requests those that are built land as promised, and those that are refused fail on the chain, or are shown to be wrong',
  'builders-story': 'the example signer lands a whole story on the local chain, and the index shows each step',
  'leverage-pairs':
    'loops of every kind land at 1.1, 2 and the most there is with exactly the supply that was asked for, and no hundredth above',
  'strategies-listed':
    'every pair of banks that the program allows is listed with its figures, or a bank is named as left out',
  'strategies-leverage':
    'a hundredth above the maximum of every listed pair is refused by the loop builder with that very maximum, which itself is not',
  'strategies-figures':
    'figures of strategies follow from their parts and their banks to nine decimals, and lists from their order',
  'leverage-close':
    'closes repay to the unit, leave no debt when all is repaid, and say how much goes where not all of it does',
  'leverage-moves': 'prices that move between build and send make a loop or a close fail as a whole',
  'leverage-hostile':
    'offers that lie or steal are refused by the check they fail, and an aggregator that is down or dishonest is done without',
  'leverage-random':
    'of random loops and closes those that are built land as promised, and those that are refused fail on the chain, or are wrong',
  'leverage-sizes':
    'what does not fit one transaction is a bundle, which the example signer lands in one slot, or is refused',
  'landing-later':
    'what is built lands seconds later, when interest has accrued in every bank and reserve since it was simulated',
  'leverage-plans':
    'a planned loop or close is simulated again and verified at the doors as it was promised, slippage forgiven',
  'swap-quotes': 'what is told of a swap at growing sizes is to the unit what such a swap gives',
  'error-codes':
    'every error code that a door can answer is answered by both, where it should be, with one status and the same figures',
  'guide-examples': 'every example of every page of the guide does what the page says it does, against npm start',
  'live-health': 'a fall of prices tells every crossing from one health status to another once, and no other',
  'live-activity': 'a stream that goes on at another instance loses and repeats no activity',
  'live-many': 'two hundred streams at once are told the same, and leave nothing behind when they are cut off',
  'live-slow': 'a reader that takes nothing is given up, and costs the others nothing',
  'live-database': 'streams outlive a database that is away, and tell what happened meanwhile',
  'live-limits': 'more streams than are served are refused before they begin',
  'rate-limits-shared': 'two instances together accept no more of a client than the specification allows one',
  'rate-limits-wait': 'who comes again after Retry-After is accepted, and nobody before',
  'rate-limits-doors': 'every request spends of each limit that it falls in, at whichever door, or of none',
  'rate-limits-database':
    'while the database is away each instance limits by itself, and afterwards all together again',
  'status-lag':
    '/v1/status tells lag per venue, per topic and per source, of every process, and says since when it is unknown',
  'monitoring-dashboards': 'every Grafana panel asks what its user may see, and what there is',
  'monitoring-metrics':
    'every metric that a panel or an alarm reads is one that the services tell, and each of them is documented',
  'monitoring-alarms': 'every alarm goes off when it should, and none while all is well',
  'dashboard-banks': 'the list of banks is found, filtered, and sorted from the keyboard, for few requests',
  'dashboard-live': 'what is shown changes with the chain, without a reload and without asking again',
  'dashboard-bank':
    'a bank shows its figures as they change and its history over a range, honest about gaps, as pictures, figures and words',
  'dashboard-strategies': 'strategies are filtered, ordered and taken apart, and say why where none matches',
  'dashboard-account':
    'an address shows its positions and health as the API has them, and what happens to it while it is open',
  'dashboard-pipeline': 'the state of the pipeline is shown, and says when it is the test chain',
  'dashboard-theme': 'the theme follows the system until one is chosen, which a reload keeps',
  'dashboard-errors': 'what fails says so and can be tried again; a stream that was cut comes back by itself',
  'dashboard-phone': 'no page is wider than a phone',
  'dashboard-accessible': 'no page has a serious fault that keeps somebody out, in either theme',
  'dashboard-inert': 'what a symbol says is shown, never run',
  'graphql-explorer': 'the GraphQL explorer shows the schema and answers a query, and asks no other host for anything',
  'clients-scripted':
    'every client waits as told, pages, keeps secrets and hands envelopes over as they want to be sent',
  'clients-service': 'every client reads, builds what a signer of its own lands, and keeps conversations',
  'clients-browser': 'a page of another origin asks through the JavaScript client, and is told all that others are',
  'clients-limits': 'at the limits of the specification every client says how long it has to wait, and waits',
  'second-instance': 'a second start on the same data folder is refused and does not disturb the first',
  'upgrade-tables': 'a version brings the tables up to date while the version before works on them',
  'upgrade-reads': 'while one version takes the place of the other everything that is asked is answered, at both',
  'upgrade-writes': 'and no plan, conversation or sample that was written is lost',
  'upgrade-messages': 'and each version reads what the other published',
  'upgrade-chain': 'and the tables end with what is on the chain',
  'restore-catches-up': 'a backup that is put back ends by itself with what was written after it was made',
  'https-doors': 'with a certificate every door answers over TLS, and what is shown of it says https',
  'https-origins': 'pages of allowed hosts reach /mcp over https, and others do not',
  'https-plain': 'who speaks plain HTTP to it is closed, and nobody is told of an error',
  'https-renewed': 'a renewed certificate is shown without a restart, and a broken one is not',
  'https-hsts':
    'browsers are told to come by TLS where they did, at the service or at a proxy it trusts, and nowhere else',
  'https-refused': 'a certificate that cannot be used ends the start with one line that names the setting',
  'https-clients': 'every client asks over TLS with what its language trusts',
  'program-upgrade':
    'While the lending program is upgraded under load, every transaction that is built lands or is refused as PROGRAM_UPGRADING, and no read is wrong',
  'lying-chain':
    'A bank whose bytes the program seems to have computed otherwise is unverified within one touch, refuses what its figures decide, and heals by three touches',
  'newer-program':
    'Of a program that is newer than the service reads go on and name what is not known; nothing is built where that speaks against it',
  'rolling-restart':
    'two of each of the three services are replaced one after the other under load, and every read is answered, and rightly',
  'two-of-each-killed': 'and when each is killed, what a killed api was answering is lost, and nothing else',
  'two-of-each-tables':
    'and afterwards the tables are those of an indexer that nothing happened to, and every plan that was given is kept',
  'two-of-each-samples': 'and each rate sample is written once, as the chain had it',
  'two-of-each-streams': 'and streams that were cut off told what those told that were not',
  'load-thousand-clients':
    'a thousand clients of MCP at once are answered by one api, all and rightly, and others beside them, in bounded memory',
  'load-slow-clients': 'who sends byte by byte is ended, and nobody waits for them, or for who reads so',
  'load-burst':
    'who asks for ten times his share at once is granted his share at every door, others theirs, and he again afterwards',
  'smoke-well':
    'npm run smoke finds nothing wrong with a chain that is well, and says which chain, versions and slot it saw',
  'smoke-verdict':
    'it says first whether the service may be trusted on that chain, by health, rates and prices beside the program’s own',
  'smoke-record': 'what it records is read by the tests that read the fixtures, and holds no key and no URL',
  'smoke-whole': 'it asks every operation, tool and field there is: one that is new needs a check',
  'smoke-builders': 'it simulates every builder for wallets that it finds by itself, and says which refused and why',
  'smoke-sends-nothing': 'it sends nothing, and lets the service send nothing',
  'smoke-stop': 'stopped in the middle it leaves nothing behind but what it found, and the next run goes on from that',
  'smoke-lies': 'it fails where a node tells nonsense of a venue',
  'smoke-refused': 'a node that is none, or not there, is said in one line',
  'openapi-lint': 'the description of the HTTP interface has nothing that a linter of OpenAPI objects to',
  'openapi-fuzz':
    'whatever is asked of the described interface, allowed or not, no answer is a 5xx or other than described',
  'hostile-requests':
    'malformed and hostile requests are answered at every door, never by a 5xx that is not documented, a crash, a stack, a path or a key',
  'hostile-quiet': 'what strangers send wrong is not logged as a failure of the service',
  'secrets-used': 'keys and tokens do what they are for, and those that are none are refused at every door',
  'secrets-answers': 'no answer tells a secret of the operator, or of another request',
  'secrets-unsigned': 'what is built is unsigned',
  'secrets-logs': 'no log has a secret',
  'secrets-tables': 'no table and no topic has a secret',
  'secrets-files': 'no file but those that hold the password of the database has a secret',
  'traces-reads':
    'a call of a read is one trace, from the request by its tool and operation to its statements; a caller’s own is pointed at',
  'traces-builds': 'a call of a builder is one trace, down to each question to the node and the aggregators',
  'traces-logs': 'every line that is logged of a request has its id and its trace, however deep it was written',
  'traces-topics': 'what is made of a message points at what it was published in, through the log and through Kafka',
  'traces-probes': 'probes and statements of nobody’s request are no traces',
  'traces-off': 'without a collector nothing is sent, logged or put on messages for the sake of traces',
  'traces-collector-away': 'a collector that is away is said once and counted, and changes nothing that is served',
  'secrets-traces': 'no trace has a secret',
  'secrets-topics': 'no message of a topic of Kafka has a secret, in key, value or headers',
  'secrets-metrics': 'no metric has a secret',
  'fault-matrix':
    'whatever a service depends on is killed, paused, slowed, cut, full, exhausted, wrong or lying: answers stay honest, /readyz and one line name the part, and all works again by itself',
  'fault-tables':
    'after all those faults the tables equal those of a pipeline that nothing happened to, and what is on the chain',
  'fault-accepted':
    'no accepted request is lost to a fault: plans under their keys, entries of conversations and follows are there',
  'fault-readings':
    'samples of a slot are the same whoever read them, and are missing only where nobody could read the chain',
  'fault-topics': 'every published message has its row, once, whatever fault it met on the way',
  'fault-memory': 'no fault makes a service take more memory than its alarm allows',
} as const;
