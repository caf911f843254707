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
  'services-survive-kills':
    'each of the three services can be killed and started again; afterwards every message has its row, once',
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
    'positions and health of a thousand random accounts are what the program itself works out, to the bit',
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
  'monitoring-dashboards': 'every Grafana panel asks what its user may see, and what there is',
  'monitoring-metrics': 'every metric that a panel or an alarm reads is one that the services tell',
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
  'secrets-metrics': 'no metric has a secret',
} as const;
