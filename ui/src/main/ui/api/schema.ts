// Made from a server's /openapi.json by ApiTypesTest (-Dhapax.golden=write). Not written by hand.

export interface AlertRoutesTestBody {
  channel?: string | null;
}

export interface AlertRoutesTested {
  channel: string;
  delivered: boolean;
  problem?: string | null;
  run: string;
  to: string[];
}

export interface AlertRoutesTestedChannels {
  items: AlertRoutesTested[];
}

export interface Alerts {
  channels: AlertsViewChannel[];
  deliveries: AlertsViewDelivery[];
  deployed: unknown;
}

export interface AlertsViewChannel {
  alerts: string[];
  channel: string;
  flow: string | null;
  to: string[];
}

export interface AlertsViewDelivery {
  at: string;
  channel: string;
  id: string;
  problem?: string | null;
  run: string;
  state: string;
  type: string;
}

export interface Approval {
  ask: string;
  askedAt: string;
  canRework: boolean;
  decision: ApprovalViewDecision | null;
  expiresAt: string | null;
  id: string;
  item?: string | null;
  link?: string | null;
  notByStarter: boolean;
  requireToken: boolean;
  roles: string[];
  round: number;
  run: string;
  state: string;
  step: string;
}

export interface ApprovalDeskDecisionBody {
  comment?: string | null;
  decision?: string | null;
  values?: unknown;
}

export interface ApprovalDeskReceipt {
  at: string | null;
  decision: ApprovalViewDecision | null;
  first: boolean;
  state: string;
}

export interface ApprovalViewDecision {
  by?: string | null;
  claimed?: boolean | null;
  comment?: string | null;
  decision: string;
  values?: unknown;
}

export interface AuditCheckpoint {
  at: string;
  key: string;
  mark: string;
  number: number;
  signature: string;
  store: string;
  tenant: string;
}

export interface AuditEntry {
  action: string;
  actor: string;
  address?: string | null;
  at: string;
  mark: string;
  number: number;
  outcome: string;
  previous: string;
  target: string;
  tenant: string;
  token?: string | null;
}

export interface AuditLogFinding {
  number: number;
  problem: string;
}

export interface AuditLogGap {
  since: string;
  until: string | null;
}

export interface AuditLogVerified {
  findings: AuditLogFinding[];
  gaps: AuditLogGap[];
  intact: boolean;
  last: string;
  lines: number;
}

export interface BackupsBackupBody {
  name?: string | null;
}

export interface BackupsMade {
  bytes: number;
  file: string;
}

export interface CallbackDoorReceipt {
  at: string | null;
  decision: unknown;
  first: boolean;
  state: string;
}

export interface Caller {
  id: string;
  name: string;
}

export interface Cause {
  cause: string;
  count: number;
  destination?: string | null;
  error: string;
  examples: string[];
  flow?: string | null;
  oldestAgeSeconds?: number | null;
  oldestSentAt?: string | null;
  step: string;
}

export interface ConnectionBookSaved {
  changedAt: string;
  changedBy: string;
  form: unknown;
  name: string;
}

export interface ConnectionForm {
  http?: ConnectionFormHttp | null;
  kafka?: ConnectionFormKafka | null;
  llm?: ConnectionFormLlm | null;
  postgres?: ConnectionFormPostgres | null;
  rabbitmq?: ConnectionFormRabbitMq | null;
  smtp?: ConnectionFormSmtp | null;
  sqs?: ConnectionFormSqs | null;
  ssh?: ConnectionFormSsh | null;
  webhook?: ConnectionFormWebhook | null;
}

export interface ConnectionFormAuth {
  basic?: ConnectionFormBasic | null;
  bearer?: string | null;
  header?: ConnectionFormHeader | null;
}

export interface ConnectionFormBasic {
  secret?: string | null;
  user?: string | null;
}

export interface ConnectionFormBreak {
  failures?: number | null;
  pause?: string | null;
}

export interface ConnectionFormHeader {
  name?: string | null;
  secret?: string | null;
}

export interface ConnectionFormHttp {
  alreadyDone?: unknown;
  auth?: ConnectionFormAuth | null;
  base?: string | null;
  connectTimeout?: string | null;
  headers?: unknown;
  idempotency?: ConnectionFormKeys | null;
  inFlight?: unknown;
  limits?: ConnectionFormLimits | null;
  notApplied?: unknown;
  privateHosts?: unknown;
  test?: string | null;
}

export interface ConnectionFormKafka {
  limits?: ConnectionFormLimits | null;
  login?: ConnectionFormLogin | null;
  privateHosts?: unknown;
  servers?: string[] | null;
  tls?: string | null;
}

export interface ConnectionFormKeys {
  bodyField?: string | null;
  header?: string | null;
  inFlight?: unknown;
  keyReused?: unknown;
  provider?: string | null;
  refusals?: unknown;
  replayHeader?: string | null;
  stores?: string | null;
  window?: string | null;
}

export interface ConnectionFormLimits {
  breaker?: ConnectionFormBreak | null;
  calls?: number | null;
  rate?: ConnectionFormPace | null;
}

export interface ConnectionFormLlm {
  base?: string | null;
  budget?: ConnectionFormSpendLimit | null;
  connectTimeout?: string | null;
  dialect?: string | null;
  headers?: unknown;
  limits?: ConnectionFormLimits | null;
  maxTokensField?: string | null;
  prices?: unknown;
  privateHosts?: unknown;
  secret?: string | null;
}

export interface ConnectionFormLogin {
  mechanism?: string | null;
  secret?: string | null;
  user?: string | null;
}

export interface ConnectionFormPace {
  limit?: number | null;
  per?: string | null;
}

export interface ConnectionFormPostgres {
  database?: string | null;
  host?: string | null;
  limits?: ConnectionFormLimits | null;
  port?: number | null;
  privateHosts?: unknown;
  secret?: string | null;
  tls?: string | null;
  user?: string | null;
}

export interface ConnectionFormRabbitMq {
  host?: string | null;
  limits?: ConnectionFormLimits | null;
  port?: number | null;
  privateHosts?: unknown;
  secret?: string | null;
  tls?: string | null;
  user?: string | null;
  vhost?: string | null;
}

export interface ConnectionFormSmtp {
  from?: string | null;
  host?: string | null;
  limits?: ConnectionFormLimits | null;
  port?: number | null;
  privateHosts?: unknown;
  secret?: string | null;
  tls?: string | null;
  user?: string | null;
}

export interface ConnectionFormSpendLimit {
  day?: unknown;
}

export interface ConnectionFormSqs {
  accessKey?: string | null;
  endpoint?: string | null;
  limits?: ConnectionFormLimits | null;
  privateHosts?: unknown;
  region?: string | null;
  secret?: string | null;
}

export interface ConnectionFormSsh {
  connectTimeout?: string | null;
  host?: string | null;
  hostKeys?: unknown;
  keep?: string | null;
  key?: string | null;
  limits?: ConnectionFormLimits | null;
  passphrase?: string | null;
  password?: string | null;
  port?: number | null;
  privateHosts?: unknown;
  user?: string | null;
}

export interface ConnectionFormWebhook {
  limits?: ConnectionFormLimits | null;
  privateHosts?: unknown;
  secret?: string | null;
  url?: string | null;
}

export interface DeletionRoutesDeletion {
  deletion: TenantTermsDeletion | null;
  hindrances: string[];
  left: TenantContent;
  records: number;
  state: string;
  tenant: string;
}

export interface DeletionRoutesDeletionBody {
  confirm?: string | null;
  force?: boolean | null;
  reason?: string | null;
}

export interface DeployBody {
  alerts?: unknown;
  allowMissing?: boolean | null;
  approval?: string | null;
  connections?: unknown;
  environment?: string | null;
  flows?: FlowBatchSource[] | null;
  note?: string | null;
  plan?: string | null;
  prune?: boolean | null;
}

export interface Deployment {
  approvedAt: string | null;
  approvedBy: string | null;
  at: string | null;
  by: string | null;
  connections: string[];
  environment: string | null;
  flows: DeploymentViewDeployedFlow[];
  folder: string;
  note: string | null;
  number: number | null;
  plan: string;
  retired: string[];
  state: string;
}

export interface DeploymentViewDeployedFlow {
  flow: string;
  hash: string;
  release: number;
}

export interface Draft {
  author: string;
  etag: string;
  findings?: Finding[] | null;
  updatedAt: string;
}

export interface Duplicate {
  at: string;
  caller: string | null;
  door: string;
}

export interface Effect {
  attempts: number;
  evidence: string | null;
  externalId: string | null;
  firstSentAt: string | null;
  guard: string;
  id: string;
  item?: string | null;
  key: string;
  kind: string;
  name: string;
  request: unknown;
  result: unknown;
  revision: number;
  run: string | null;
  state: string;
  step: string;
  version?: unknown;
  wireKey: string;
}

export interface EffectsSettleBody {
  attempt?: number | null;
  compensate?: boolean | null;
  decision?: string | null;
  externalId?: string | null;
  reason?: string | null;
  result?: unknown;
  revision?: number | null;
}

export interface Error {
  advice?: string | null;
  code: string;
  docs?: string | null;
  item?: string | null;
  message: string;
  step?: string | null;
}

export interface Event {
  detail: string | null;
  event: string;
  flow: string;
  id: string;
  object: string | null;
  outcome: string;
  payload?: unknown;
  receivedAt: string;
  redeliveries: number;
  run: string | null;
  source: string;
  version: unknown;
}

export interface EventReplayReplayBody {
  after?: string | null;
  dryRun?: boolean | null;
  from?: string | null;
  limit?: number | null;
  outcomes?: string[] | null;
  source?: string | null;
  to?: string | null;
}

export interface EventReplayReplayed {
  dryRun: boolean;
  items: EventReplayReplayedEvent[];
  next: string | null;
  stopped?: string | null;
  totals: unknown;
}

export interface EventReplayReplayedEvent {
  detail?: string | null;
  event: string;
  id: string;
  outcome: string;
  run?: string | null;
  source: string;
  was: string;
}

export interface Finding {
  column: number;
  file: string;
  fix: string;
  level: string;
  line: number;
  message: string;
  rule: string;
}

export interface Flow {
  flow: string;
  labels: string[];
  live: number | null;
  newest: number | null;
  promotedAt: string | null;
  promotedBy: string | null;
  retiredAt: string | null;
  retiredBy: string | null;
}

export interface FlowBatchSource {
  file?: string | null;
  text?: string | null;
}

export interface FlowRoutesPromoteBody {
  allowMissing?: boolean | null;
  release?: number | null;
}

export interface FlowRoutesReleaseBody {
  allowMissing?: boolean | null;
  note?: string | null;
}

export interface FlowViewPromoted {
  findings: Finding[];
  flow: string;
  labels: string[];
  live: number | null;
  newest: number | null;
  promotedAt: string | null;
  promotedBy: string | null;
}

export interface FlowViewRetired {
  findings: Finding[];
  flow: string;
  labels: string[];
  release: number | null;
  retiredAt: string | null;
  retiredBy: string | null;
  runs: OpenRuns[];
}

export interface FlowViewWhole {
  description: string | null;
  draft: Draft | null;
  flow: string;
  labels: string[];
  live: number | null;
  newest: number | null;
  promotedAt: string | null;
  promotedBy: string | null;
  retiredAt: string | null;
  retiredBy: string | null;
  triggers: Trigger[];
}

export interface Found {
  by: string;
  exact: boolean;
  flow?: string | null;
  id: string;
  kind: string;
  next: string;
  status?: string | null;
  value: string;
}

export interface HealthStatus {
  status: string;
}

export interface History {
  at: string;
  attempt?: number | null;
  branch?: string | null;
  decision?: string | null;
  effect?: string | null;
  error?: Error | null;
  evidence?: string | null;
  guard?: string | null;
  item?: string | null;
  key?: string | null;
  output?: unknown;
  reusedFrom?: string | null;
  revision?: number | null;
  round?: number | null;
  seq: number;
  state?: string | null;
  step: string | null;
  type: string;
  waitUntil?: string | null;
  wireKey?: string | null;
}

export interface Input {
  computesKey: boolean;
  flow: string;
  release: number;
  schema: unknown;
}

export interface Job {
  appliedBy: string | null;
  createdAt: string;
  createdBy: string;
  done: number;
  endedAt: string | null;
  failed: number;
  id: string;
  kind: string;
  next?: string | null;
  open: number;
  problem: string | null;
  rate: number;
  results?: JobViewResult[] | null;
  skipped: number;
  spec: unknown;
  state: string;
  totals: unknown;
}

export interface JobDeskJobBody {
  adopt?: boolean | null;
  apply?: string | null;
  ask?: string[] | null;
  compensate?: boolean | null;
  decision?: string | null;
  filter?: JobSelection | null;
  force?: ReplayWishesForceBody[] | null;
  fromStep?: unknown;
  input?: unknown;
  kind?: string | null;
  outputs?: unknown;
  plan?: boolean | null;
  rate?: number | null;
  reason?: string | null;
  release?: unknown;
  repair?: boolean | null;
  result?: unknown;
  seen?: unknown;
}

export interface JobDeskResumeBody {
  rate?: number | null;
}

export interface JobSelection {
  all?: boolean | null;
  cause?: string | null;
  destination?: string | null;
  error?: string | null;
  flow?: string | null;
  flows?: string[] | null;
  ids?: string[] | null;
  key?: string | null;
  keyPrefix?: string | null;
  label?: string | null;
  name?: string | null;
  outcome?: string | null;
  retryable?: boolean | null;
  search?: unknown;
  since?: string | null;
  source?: string | null;
  status?: string | null;
  step?: string | null;
  until?: string | null;
}

export interface JobViewResult {
  at: string | null;
  detail: unknown;
  flow: string | null;
  key: string | null;
  position: number;
  problem: string | null;
  state: string;
  subject: string;
}

export interface KvMapEntry {
  expiresAt?: string | null;
  key: string;
  value: unknown;
  version: number;
}

export interface KvMapOutcome {
  key: string;
  value: unknown;
  version: number;
  written: boolean;
}

export interface KvMapPutBody {
  from?: unknown[] | null;
  ttl?: string | null;
  value?: unknown;
  version?: number | null;
}

export interface LedgerImportReportedRow {
  effect: string | null;
  line: number;
  problem: string;
  result: string;
  todo: string;
}

export interface LedgerImportResult {
  added: number;
  exists: number;
  problems: LedgerImportReportedRow[];
  refused: number;
  rows: number;
  same: number;
}

export interface Message {
  attempts?: History[] | null;
  data?: unknown;
  destination: string;
  id: string;
  problem?: string | null;
  publishedAt: string;
  run: string;
  state: string;
  status: string;
  type: string;
}

export interface NodeRoutesNode {
  answers: boolean;
  expiresAt?: string | null;
  node: number;
  renewedAt?: string | null;
  runsInMemory: number;
  since?: string | null;
  startedAt?: string | null;
  version?: string | null;
}

export interface NodeRoutesNodeList {
  items: NodeRoutesNode[];
  next: string | null;
  now: string;
  shared: boolean;
}

export interface Once {
  effect?: OnceViewOnceEffect | null;
  error?: Error | null;
  output: unknown;
  run: string;
  state: string;
}

export interface OnceRoutesBody {
  connection: string;
  db?: unknown;
  effect: OnceRoutesBodyEffect;
  email?: unknown;
  http?: unknown;
  publish?: unknown;
  retry?: unknown;
  timeout?: string | null;
}

export interface OnceRoutesBodyEffect {
  externalId?: string | null;
  guard?: unknown;
  key: string;
  kind?: string | null;
  name: string;
  version?: string | null;
}

export interface OnceViewOnceEffect {
  attempts: number;
  externalId?: string | null;
  id: string;
  key: string;
  name: string;
  state: string;
}

export interface OpenRuns {
  atLeast: boolean;
  open: number;
  release: number;
}

export interface OperatorRoutesTenantBody {
  name?: string | null;
}

export interface Overview {
  approvals: OverviewViewOpenCount;
  complete: boolean;
  destinations: OverviewViewDestinationState[];
  doubts: OverviewViewOpenCount;
  failures: OverviewViewFailing[];
  from: string;
  now: string;
  reviews: OverviewViewOpenCount;
  running: OverviewViewOpenCount;
  runs: OverviewViewOutcomes;
  slotSeconds: number;
  slots: OverviewViewSlot[];
  stopped: OverviewViewDoors;
  to: string;
  waiting: OverviewViewOpenCount;
}

export interface OverviewViewDestinationState {
  breaker: string;
  calls?: number | null;
  name: string;
  rate?: number | null;
  rateMillis?: number | null;
  underWay: number;
  until?: string | null;
  waiting: number;
}

export interface OverviewViewDoors {
  answer: number;
  child: number;
  effect: number;
  start: number;
  webhook: number;
}

export interface OverviewViewFailing {
  code: string;
  count: number;
  flow: string;
}

export interface OverviewViewOpenCount {
  count: number;
  oldest?: string | null;
}

export interface OverviewViewOutcomes {
  canceled: number;
  failed: number;
  open: number;
  review: number;
  succeeded: number;
}

export interface OverviewViewSlot {
  at: string;
  runs: OverviewViewOutcomes;
}

export interface Plan {
  alerts: string[];
  approval: string | null;
  changes: boolean;
  connections: PlanViewConnectionChange[];
  drift: PlanViewDrift[];
  environment: string | null;
  findings: Finding[];
  flows: PlanViewFlowChange[];
  folder: string;
  plan: string;
  unchanged: number;
}

export interface PlanViewConnectionChange {
  change: string;
  connection: string;
  fields: string[];
}

export interface PlanViewDrift {
  kind: string;
  message: string;
  name: string;
}

export interface PlanViewFlowChange {
  change: string;
  flow: string;
  hash: string | null;
  live: number | null;
  meaning: string;
  runs: OpenRuns[];
}

export interface Problem {
  detail: string;
  status: number;
  title: string;
  type: string;
}

export interface Queue {
  connection: string;
  deletedUnread: number;
  duplicates: number;
  filtered: number;
  flow: string;
  invalid: number;
  lag: number | null;
  lastAt: string | null;
  name: string;
  notice: string | null;
  ordered: boolean;
  perMinute: number;
  problem: string | null;
  queue: string;
  rebalances: number;
  received: number;
  status: string;
}

export interface QueueRoutesSeekBody {
  since?: string | null;
}

export interface QueueRoutesSought {
  messages: number | null;
}

export interface QuotaRoutesQuota {
  quotas: TenantQuotas;
  tenant: string;
  use: QuotaUse;
}

export interface QuotaUse {
  callsAtOnce: number | null;
  runsInMemory: number;
  runsToday: number | null;
  storeBytes: number | null;
  streams: number;
}

export interface Receipt {
  detail?: string | null;
  outcome: string;
  run: string | null;
}

export interface ReconcileRoutesBody {
  adopt?: boolean | null;
  flow?: string | null;
  from?: string | null;
  rate?: number | null;
  repair?: boolean | null;
  step?: string | null;
  to?: string | null;
}

export interface ReconcileRoutesRepairBody {
  reason?: string | null;
}

export interface ReconciledPageFinding {
  effect?: string | null;
  externalId?: string | null;
  fields?: string[] | null;
  key?: string | null;
  problem?: string | null;
  repair?: RepairPlan | null;
  result: string;
  revision?: number | null;
  step: string;
}

export interface Reconciliation {
  adopt: boolean;
  adopted: number;
  by: string;
  done: number;
  error: Error | null;
  failed: number;
  flow: string;
  from: string | null;
  id: string;
  items: ReconciledPageFinding[];
  kind: string;
  lookedUp: string[];
  next: string | null;
  note: string | null;
  rate: number;
  repair: boolean;
  repairs: ReconciliationViewRepairCounts | null;
  schedule: string | null;
  settled: number;
  state: string;
  status: string;
  steps: string[];
  to: string | null;
  totals: ReconciliationViewTotals;
}

export interface ReconciliationViewRepairCounts {
  impossible: number;
  planned: number;
}

export interface ReconciliationViewTotals {
  differs: number;
  doubled: number;
  matches: number;
  missing: number;
  unchecked: number;
  unknown: number;
}

export interface Release {
  author: string;
  createdAt: string;
  hash: string;
  note: string | null;
  release: number;
  text?: string | null;
}

export interface ReleaseViewDiff {
  diff: string;
  from: number;
  same: boolean;
  to: number;
}

export interface ReleaseViewMade {
  findings: Finding[];
  hash: string;
  release: number;
}

export interface Repair {
  by: string;
  error: Error | null;
  flow: string;
  id: string;
  items: RepairFlowRepaired[];
  next: string | null;
  reason: string;
  reconciliation: string;
  status: string;
  totals: RepairFlowRepairTotals;
}

export interface RepairFlowRepairTotals {
  found: number;
  refused: number;
  replayed: number;
  stale: number;
}

export interface RepairFlowRepaired {
  effect: string;
  problem?: string | null;
  result: string;
  run?: string | null;
}

export interface RepairPlan {
  absent?: string | null;
  digest?: string | null;
  effect: string;
  item?: string | null;
  later?: string[] | null;
  possible: boolean;
  request?: unknown;
  revision: number;
  run?: string | null;
  sends?: number | null;
  step?: string | null;
  why?: string | null;
  wireKey?: string | null;
}

export interface Replay {
  found: number;
  items: ReplayViewItemLine[];
  next: string | null;
  plan: string;
  problem?: string | null;
  runs: ReplayViewRunLine[];
  skipped: number;
  state: string;
  totals: ReplayPlanTotals;
}

export interface ReplayPlanTotals {
  changed: number;
  doubt: number;
  keep: number;
  reuse: number;
  send: number;
}

export interface ReplayRoutesReplayBody {
  apply?: string | null;
  ask?: string[] | null;
  filter?: JobSelection | null;
  force?: ReplayWishesForceBody[] | null;
  fromStep?: unknown;
  input?: unknown;
  outputs?: unknown;
  plan?: boolean | null;
  rate?: number | null;
  reason?: string | null;
  release?: unknown;
  runs?: string[] | null;
}

export interface ReplayViewDifference {
  change: string;
  step?: string | null;
}

export interface ReplayViewItemLine {
  decision: string;
  dependsOn?: string[] | null;
  effect?: string | null;
  firstRun?: string | null;
  item?: string | null;
  key?: string | null;
  name: string;
  note?: string | null;
  request: unknown;
  revision?: number | null;
  run: string;
  step: string;
  type: string;
  wireKey?: string | null;
}

export interface ReplayViewRunLine {
  differences?: ReplayViewDifference[] | null;
  ends?: string | null;
  flow?: string | null;
  key?: string | null;
  more?: number | null;
  problem?: string | null;
  release?: number | null;
  run: string;
  state: string;
}

export interface ReplayWishesForceBody {
  effect?: string | null;
  reason?: string | null;
}

export interface ResourceShelfStored {
  bytes: number;
  contentType: string;
  ref: string;
}

export interface RestoresRestoreBody {
  as?: string | null;
  erasures?: string[] | null;
}

export interface RestoresState {
  as: string | null;
  lostSince: string | null;
  restored: boolean;
  store: string;
  why: string | null;
}

export interface Retention {
  days: number;
  eventLife: string;
  exports?: RetentionViewExports | null;
  gone: RetentionViewGroup[];
  held: RetentionViewHeld[];
  keep: unknown;
  leaving: RetentionViewGroup[];
  paused?: string | null;
  tombstoneLife: string;
  totals: unknown;
}

export interface RetentionViewExports {
  effects: number;
  events: number;
  lastAt?: string | null;
  problem?: string | null;
  problemSince?: string | null;
  runs: number;
}

export interface RetentionViewGroup {
  count: number;
  day: string;
  kind: string;
  name: string;
}

export interface RetentionViewHeld {
  because: RetentionViewReason[];
  flow: string;
  key: string;
  run: string;
  until: string | null;
}

export interface RetentionViewKept {
  because: RetentionViewReason[];
  id: string;
  until: string | null;
}

export interface RetentionViewReason {
  code: string;
  text: string;
  until?: string | null;
}

export interface Review {
  ageSeconds: number | null;
  assignee: string | null;
  attempts: number;
  cause: string;
  commentCount: number;
  comments?: ReviewViewComment[] | null;
  destination: string | null;
  evidence: string | null;
  externalId: string | null;
  firstSentAt: string | null;
  flow: string | null;
  guard: string;
  history?: History[] | null;
  historyLeftOut?: number | null;
  id: string;
  item?: string | null;
  key: string;
  kind: string;
  name: string;
  others?: ReviewViewOther[] | null;
  request: unknown;
  result: unknown;
  revision: number;
  run: string | null;
  runKey: string | null;
  runbook: string | null;
  since: string | null;
  state: string;
  step: string;
  version?: unknown;
  wireKey: string;
}

export interface ReviewQueueCauses {
  complete: boolean;
  items: Cause[];
  next: string | null;
}

export interface ReviewRoutesAssignBody {
  assignee?: string | null;
}

export interface ReviewRoutesCommentBody {
  text?: string | null;
}

export interface ReviewSettlingBody {
  compensate?: boolean | null;
  decision?: string | null;
  items?: ReviewSettlingItem[] | null;
  reason?: string | null;
}

export interface ReviewSettlingItem {
  attempt?: number | null;
  effect?: string | null;
  externalId?: string | null;
  result?: unknown;
  revision?: number | null;
}

export interface ReviewSettlingOne {
  detail?: string | null;
  effect: string;
  outcome: string;
  state?: string | null;
}

export interface ReviewSettlingSettled {
  items: ReviewSettlingOne[];
  refused: number;
  settled: number;
}

export interface ReviewViewComment {
  at: string;
  by: string;
  text: string;
}

export interface ReviewViewOther {
  externalId?: string | null;
  id: string;
  item?: string | null;
  key: string;
  name: string;
  state: string;
  step: string;
}

export interface Run {
  blocked?: Error | null;
  cancel?: RunViewCancel | null;
  createdAt: string;
  dueAt?: string | null;
  duplicates: number;
  endedAt: string | null;
  erased?: boolean | null;
  error: Error | null;
  failureClass?: string | null;
  flow: string;
  id: string;
  input: unknown;
  inputBytes?: number | null;
  key: string;
  output: unknown;
  outputBytes?: number | null;
  release: number;
  retryable: boolean;
  search?: unknown;
  startedBy?: Caller | null;
  status: string;
  timeoutAt?: string | null;
  wouldSend?: Effect[] | null;
}

export interface RunViewCancel {
  by: string;
  compensate: boolean;
  reason?: string | null;
}

export interface RunWait {
  approval?: string | null;
  asksPerson: boolean;
  cause: string;
  effect?: string | null;
  item?: string | null;
  key?: string | null;
  message: string;
  round?: number | null;
  runs: RunWaitViewOther[];
  step?: string | null;
  until?: string | null;
}

export interface RunWaitViewOther {
  asksPerson: boolean;
  flow?: string | null;
  id: string;
  key?: string | null;
  status?: string | null;
}

export interface RunsCancelBody {
  compensate?: boolean | null;
  reason?: string | null;
}

export interface RunsForgetBody {
  reason?: string | null;
}

export interface RunsResumeBody {
  reason?: string | null;
}

export interface RunsRetryBody {
  input?: unknown;
}

export interface RunsStepBody {
  item?: string | null;
  output?: unknown;
  reason?: string | null;
}

export interface Schedule {
  catchUp: string | null;
  cron: string | null;
  flow: string;
  lastAt: string | null;
  missed: number;
  name: string;
  next: string[];
  note: string | null;
  overlap: string | null;
  paused: boolean;
  reconciles: string | null;
  skipped: number;
  timezone: string | null;
  waitsFor: string | null;
}

export interface ScheduleRoutesBackfillBody {
  from?: string | null;
  to?: string | null;
}

export interface ScheduleRoutesBackfilled {
  started: number;
}

export interface Secret {
  changedAt: string | null;
  changedBy: string | null;
  hosts: string[] | null;
  name: string;
  revision: number | null;
  source: string;
}

export interface SecretRoutesSecretBody {
  hosts?: string[] | null;
  value?: string | null;
}

export interface SessionRoutesSession {
  csrf?: string | null;
  endsAt?: string | null;
  flows?: string[] | null;
  name: string;
  roles: string[];
  scopes: string[];
  tenant: string;
}

export interface SignedReceipt {
  key: string;
  receipt: unknown;
  signature: string;
}

export interface StartCheck {
  difference: string | null;
  flow: string;
  key: string | null;
  outcome: string;
  release: number;
  run: string | null;
}

export interface SubjectErasure {
  actor: string;
  at: string;
  endedAt: string | null;
  externalIds: boolean;
  id: string;
  reason: string;
  run: string;
  runs: number;
  subject: string;
}

export interface SubjectPlanPlannedErasure {
  effects: number;
  flow: string;
  run: string;
  status: string;
  waitsFor: string | null;
  with: number;
}

export interface SubjectRecord {
  content: unknown;
  type: string;
}

export interface SubjectRoutesEraseBody {
  externalIds?: boolean | null;
  id?: string | null;
  reason?: string | null;
  scan?: boolean | null;
}

export interface SubjectRoutesExport {
  records: SubjectRecord[];
}

export interface SubjectRoutesPlan {
  earlier: SubjectErasure[];
  events: number;
  postponed: number;
  ready: number;
  runs: SubjectPlanPlannedErasure[];
}

export interface SubjectRoutesSubjectBody {
  id?: string | null;
  scan?: boolean | null;
}

export interface SuspensionRoutesReasonBody {
  reason?: string | null;
}

export interface Tenant {
  createdAt: string;
  createdBy: string;
  deletion: TenantTermsDeletion | null;
  name: string;
  quotas: TenantQuotas | null;
  state: string;
  suspended: TenantTermsSuspended | null;
  use: QuotaUse;
}

export interface TenantContent {
  bytes: number;
  effects: number;
  entries: number;
  events: number;
  expiredEffects: number;
  expiredRuns: number;
  jobs: number;
  journalRows: number;
  openEffects: number;
  resources: number;
  runs: number;
  schedules: number;
  waits: number;
}

export interface TenantQuotas {
  callsAtOnce: number | null;
  modelCostPerDay: number | null;
  requestsPerSecond: number | null;
  runsInMemory: number | null;
  runsPerDay: number | null;
  storeBytes: number | null;
  streams: number | null;
}

export interface TenantTermsDeletion {
  at: string;
  by: string;
  doneAt: string | null;
  forced: boolean;
  reason: string;
  rows: number;
}

export interface TenantTermsSuspended {
  at: string;
  by: string;
  reason: string;
}

export interface Token {
  createdAt: string;
  createdBy: string;
  expiresAt: string | null;
  flows: string[] | null;
  id: string;
  labels: string[] | null;
  name: string;
  perSecond: number | null;
  revokedAt: string | null;
  roles: string[];
  scopes: string[];
  usedAt: string | null;
}

export interface TokenKeyBookRotated {
  revoked: number[];
  valid: number[];
  version: number;
}

export interface TokenKeyBookVersion {
  createdAt: string;
  version: number;
}

export interface TokenKeyRoutesKeys {
  current: number;
  items: TokenKeyBookVersion[];
  next: string | null;
}

export interface TokenKeyRoutesRotateBody {
  revoke?: boolean | null;
}

export interface TokenRoutesTokenBody {
  expiresIn?: string | null;
  flows?: string[] | null;
  labels?: string[] | null;
  name?: string | null;
  perSecond?: number | null;
  roles?: string[] | null;
  scopes?: string[] | null;
}

export interface TokenViewCreated {
  details: Token;
  id: string;
  token: string;
}

export interface TrialRoutesTrial {
  kind: string;
  name: string;
  ok: boolean;
  stages: TrialStage[];
}

export interface TrialStage {
  detail: string;
  fix: string | null;
  outcome: string;
  stage: string;
}

export interface Trigger {
  queue?: TriggerViewQueue | null;
  schedule?: TriggerViewSchedule | null;
  webhook?: TriggerViewWebhook | null;
}

export interface TriggerViewQueue {
  connection: string;
  queue: string;
}

export interface TriggerViewSchedule {
  catchUp: string;
  cron: string;
  name: string;
  timezone: string | null;
}

export interface TriggerViewWebhook {
  address: string;
  path: string;
  scheme: string;
}

export interface VaultRekeyed {
  failed: string[];
  rewrapped: number;
}

/** Every call of the API. */
export interface Operations {
  "GET /.well-known/oauth-protected-resource": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: unknown;
  };
  "GET /.well-known/oauth-protected-resource/mcp": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: unknown;
  };
  "GET /api/alerts": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: Alerts;
  };
  "POST /api/alerts/test": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: AlertRoutesTestBody;
    answer: AlertRoutesTestedChannels;
  };
  "GET /api/approvals": {
    path: Record<string, never>;
    query: { state?: string; role?: string; limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Approval[];
      next: string | null;
    };
  };
  "GET /api/approvals/{id}": {
    path: { id: string };
    query: Record<string, never>;
    body: unknown;
    answer: Approval;
  };
  "POST /api/approvals/{id}": {
    path: { id: string };
    query: Record<string, never>;
    body: ApprovalDeskDecisionBody;
    answer: ApprovalDeskReceipt;
  };
  "GET /api/audit": {
    path: Record<string, never>;
    query: { limit?: string; after?: string };
    body: unknown;
    answer: {
      items: AuditEntry[];
      next: string | null;
    };
  };
  "GET /api/audit/checkpoint": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: AuditCheckpoint;
  };
  "GET /api/audit/export": {
    path: Record<string, never>;
    query: { after?: string };
    body: unknown;
    answer: string;
  };
  "GET /api/audit/verification": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: AuditLogVerified;
  };
  "POST /api/audit/verification": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: AuditCheckpoint;
    answer: AuditLogVerified;
  };
  "POST /api/backups": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: BackupsBackupBody;
    answer: BackupsMade;
  };
  "POST /api/callbacks/{token}": {
    path: { token: string };
    query: Record<string, never>;
    body: unknown;
    answer: CallbackDoorReceipt;
  };
  "GET /api/connections": {
    path: Record<string, never>;
    query: { limit?: string; after?: string };
    body: unknown;
    answer: {
      items: ConnectionBookSaved[];
      next: string | null;
    };
  };
  "DELETE /api/connections/{name}": {
    path: { name: string };
    query: Record<string, never>;
    body: unknown;
    answer: void;
  };
  "GET /api/connections/{name}": {
    path: { name: string };
    query: Record<string, never>;
    body: unknown;
    answer: ConnectionBookSaved;
  };
  "PUT /api/connections/{name}": {
    path: { name: string };
    query: Record<string, never>;
    body: ConnectionForm;
    answer: ConnectionBookSaved;
  };
  "POST /api/connections/{name}/test": {
    path: { name: string };
    query: Record<string, never>;
    body: unknown;
    answer: TrialRoutesTrial;
  };
  "GET /api/deployments": {
    path: Record<string, never>;
    query: { limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Deployment[];
      next: string | null;
    };
  };
  "POST /api/deployments": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: DeployBody;
    answer: Deployment;
  };
  "POST /api/deployments/plan": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: DeployBody;
    answer: Plan;
  };
  "GET /api/deployments/{number}": {
    path: { number: string };
    query: Record<string, never>;
    body: unknown;
    answer: Deployment;
  };
  "POST /api/deployments/{number}/approve": {
    path: { number: string };
    query: Record<string, never>;
    body: unknown;
    answer: Deployment;
  };
  "GET /api/effects": {
    path: Record<string, never>;
    query: { name?: string; key?: string; state?: string; run?: string; externalId?: string; wireKey?: string; keyPrefix?: string; draft?: string; limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Effect[];
      next: string | null;
    };
  };
  "GET /api/effects/{id}": {
    path: { id: string };
    query: Record<string, never>;
    body: unknown;
    answer: Effect;
  };
  "POST /api/effects/{id}/settle": {
    path: { id: string };
    query: Record<string, never>;
    body: EffectsSettleBody;
    answer: Effect;
  };
  "GET /api/erasure-list": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: string;
  };
  "GET /api/events": {
    path: Record<string, never>;
    query: { flow?: string; run?: string };
    body: unknown;
    answer: string;
  };
  "GET /api/find": {
    path: Record<string, never>;
    query: { q?: string; draft?: string; limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Found[];
      next: string | null;
    };
  };
  "GET /api/flows": {
    path: Record<string, never>;
    query: { limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Flow[];
      next: string | null;
    };
  };
  "GET /api/flows/{flow}": {
    path: { flow: string };
    query: Record<string, never>;
    body: unknown;
    answer: FlowViewWhole;
  };
  "GET /api/flows/{flow}/draft": {
    path: { flow: string };
    query: Record<string, never>;
    body: unknown;
    answer: string;
  };
  "PUT /api/flows/{flow}/draft": {
    path: { flow: string };
    query: Record<string, never>;
    body: unknown;
    answer: Draft;
  };
  "GET /api/flows/{flow}/draft/findings": {
    path: { flow: string };
    query: { limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Finding[];
      next: string | null;
    };
  };
  "GET /api/flows/{flow}/input": {
    path: { flow: string };
    query: { draft?: string };
    body: unknown;
    answer: Input;
  };
  "DELETE /api/flows/{flow}/keys/{key}": {
    path: { flow: string; key: string };
    query: { reason?: string };
    body: RunsForgetBody;
    answer: void;
  };
  "DELETE /api/flows/{flow}/live": {
    path: { flow: string };
    query: { allowMissing?: string };
    body: unknown;
    answer: FlowViewRetired;
  };
  "PUT /api/flows/{flow}/live": {
    path: { flow: string };
    query: Record<string, never>;
    body: FlowRoutesPromoteBody;
    answer: FlowViewPromoted;
  };
  "GET /api/flows/{flow}/releases": {
    path: { flow: string };
    query: { limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Release[];
      next: string | null;
    };
  };
  "POST /api/flows/{flow}/releases": {
    path: { flow: string };
    query: Record<string, never>;
    body: FlowRoutesReleaseBody;
    answer: ReleaseViewMade;
  };
  "GET /api/flows/{flow}/releases/{release}": {
    path: { flow: string; release: string };
    query: Record<string, never>;
    body: unknown;
    answer: Release;
  };
  "GET /api/flows/{flow}/releases/{release}/diff": {
    path: { flow: string; release: string };
    query: { from?: string };
    body: unknown;
    answer: ReleaseViewDiff;
  };
  "GET /api/flows/{flow}/releases/{release}/picture": {
    path: { flow: string; release: string };
    query: Record<string, never>;
    body: unknown;
    answer: string;
  };
  "POST /api/flows/{flow}/runs": {
    path: { flow: string };
    query: { draft?: string };
    body: unknown;
    answer: Run;
  };
  "POST /api/flows/{flow}/runs/check": {
    path: { flow: string };
    query: { draft?: string };
    body: unknown;
    answer: StartCheck;
  };
  "GET /api/inbox": {
    path: Record<string, never>;
    query: { source?: string; event?: string; outcome?: string; repeated?: string; limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Event[];
      next: string | null;
    };
  };
  "POST /api/inbox/replay": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: EventReplayReplayBody;
    answer: EventReplayReplayed;
  };
  "GET /api/inbox/{id}": {
    path: { id: string };
    query: Record<string, never>;
    body: unknown;
    answer: Event;
  };
  "POST /api/inbox/{id}/retry": {
    path: { id: string };
    query: Record<string, never>;
    body: unknown;
    answer: Receipt;
  };
  "GET /api/jobs": {
    path: Record<string, never>;
    query: { kind?: string; limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Job[];
      next: string | null;
    };
  };
  "POST /api/jobs": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: JobDeskJobBody;
    answer: Job;
  };
  "GET /api/jobs/{id}": {
    path: { id: string };
    query: { result?: string; limit?: string; after?: string };
    body: unknown;
    answer: Job;
  };
  "POST /api/jobs/{id}/cancel": {
    path: { id: string };
    query: Record<string, never>;
    body: unknown;
    answer: Job;
  };
  "POST /api/jobs/{id}/pause": {
    path: { id: string };
    query: Record<string, never>;
    body: unknown;
    answer: Job;
  };
  "POST /api/jobs/{id}/resume": {
    path: { id: string };
    query: Record<string, never>;
    body: JobDeskResumeBody;
    answer: Job;
  };
  "GET /api/kv": {
    path: Record<string, never>;
    query: { prefix?: string; limit?: string; after?: string };
    body: unknown;
    answer: {
      items: KvMapEntry[];
      next: string | null;
    };
  };
  "DELETE /api/kv/{key}": {
    path: { key: string };
    query: Record<string, never>;
    body: unknown;
    answer: KvMapOutcome;
  };
  "GET /api/kv/{key}": {
    path: { key: string };
    query: Record<string, never>;
    body: unknown;
    answer: KvMapEntry;
  };
  "PUT /api/kv/{key}": {
    path: { key: string };
    query: Record<string, never>;
    body: KvMapPutBody;
    answer: KvMapOutcome;
  };
  "GET /api/ledger/export": {
    path: Record<string, never>;
    query: { name?: string; state?: string; from?: string; to?: string; format?: string; draft?: string };
    body: unknown;
    answer: string;
  };
  "POST /api/ledger/import": {
    path: Record<string, never>;
    query: { draft?: string };
    body: unknown;
    answer: LedgerImportResult;
  };
  "GET /api/nodes": {
    path: Record<string, never>;
    query: { limit?: string; after?: string };
    body: unknown;
    answer: NodeRoutesNodeList;
  };
  "POST /api/once": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: OnceRoutesBody;
    answer: Once;
  };
  "GET /api/outbox": {
    path: Record<string, never>;
    query: { status?: string; destination?: string; since?: string; until?: string; limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Message[];
      next: string | null;
    };
  };
  "GET /api/outbox/{id}": {
    path: { id: string };
    query: Record<string, never>;
    body: unknown;
    answer: Message;
  };
  "POST /api/outbox/{id}/redeliver": {
    path: { id: string };
    query: Record<string, never>;
    body: unknown;
    answer: Message;
  };
  "GET /api/overview": {
    path: Record<string, never>;
    query: { from?: string; to?: string };
    body: unknown;
    answer: Overview;
  };
  "GET /api/queues": {
    path: Record<string, never>;
    query: { limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Queue[];
      next: string | null;
    };
  };
  "GET /api/queues/{name}": {
    path: { name: string };
    query: Record<string, never>;
    body: unknown;
    answer: Queue;
  };
  "POST /api/queues/{name}/pause": {
    path: { name: string };
    query: Record<string, never>;
    body: unknown;
    answer: Queue;
  };
  "POST /api/queues/{name}/resume": {
    path: { name: string };
    query: Record<string, never>;
    body: unknown;
    answer: Queue;
  };
  "POST /api/queues/{name}/seek": {
    path: { name: string };
    query: Record<string, never>;
    body: QueueRoutesSeekBody;
    answer: QueueRoutesSought;
  };
  "GET /api/receipts": {
    path: Record<string, never>;
    query: { name?: string; key?: string; format?: string };
    body: unknown;
    answer: SignedReceipt;
  };
  "GET /api/receipts/{effect}": {
    path: { effect: string };
    query: { format?: string };
    body: unknown;
    answer: SignedReceipt;
  };
  "POST /api/reconciliations": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: ReconcileRoutesBody;
    answer: Reconciliation;
  };
  "GET /api/reconciliations/{id}": {
    path: { id: string };
    query: { result?: string; limit?: string; after?: string };
    body: unknown;
    answer: Reconciliation;
  };
  "GET /api/reconciliations/{id}/repair": {
    path: { id: string };
    query: { limit?: string; after?: string };
    body: unknown;
    answer: Repair;
  };
  "POST /api/reconciliations/{id}/repair": {
    path: { id: string };
    query: Record<string, never>;
    body: ReconcileRoutesRepairBody;
    answer: Repair;
  };
  "POST /api/rekey": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: VaultRekeyed;
  };
  "POST /api/replays": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: ReplayRoutesReplayBody;
    answer: Job | Replay;
  };
  "GET /api/replays/{plan}": {
    path: { plan: string };
    query: { decision?: string; result?: string; limit?: string; after?: string };
    body: unknown;
    answer: Replay;
  };
  "POST /api/resources": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: ResourceShelfStored;
  };
  "GET /api/resources/{hash}": {
    path: { hash: string };
    query: Record<string, never>;
    body: unknown;
    answer: string;
  };
  "GET /api/restore": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: RestoresState;
  };
  "POST /api/restore": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: RestoresRestoreBody;
    answer: RestoresState;
  };
  "GET /api/retention": {
    path: Record<string, never>;
    query: { days?: string };
    body: unknown;
    answer: Retention;
  };
  "GET /api/retention/{id}": {
    path: { id: string };
    query: Record<string, never>;
    body: unknown;
    answer: RetentionViewKept;
  };
  "GET /api/reviews": {
    path: Record<string, never>;
    query: { name?: string; key?: string; keyPrefix?: string; externalId?: string; wireKey?: string; run?: string; flow?: string; cause?: string; assignee?: string; limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Review[];
      next: string | null;
    };
  };
  "GET /api/reviews/causes": {
    path: Record<string, never>;
    query: { limit?: string; after?: string };
    body: unknown;
    answer: ReviewQueueCauses;
  };
  "POST /api/reviews/settle": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: ReviewSettlingBody;
    answer: ReviewSettlingSettled;
  };
  "GET /api/reviews/{id}": {
    path: { id: string };
    query: Record<string, never>;
    body: unknown;
    answer: Review;
  };
  "POST /api/reviews/{id}/assign": {
    path: { id: string };
    query: Record<string, never>;
    body: ReviewRoutesAssignBody;
    answer: Review;
  };
  "POST /api/reviews/{id}/comments": {
    path: { id: string };
    query: Record<string, never>;
    body: ReviewRoutesCommentBody;
    answer: Review;
  };
  "GET /api/runs": {
    path: Record<string, never>;
    query: { flow?: string; key?: string; status?: string; since?: string; until?: string; parent?: string; keyPrefix?: string; label?: string; retryable?: string; error?: string; duplicates?: string; [name: `search.${string}`]: string; draft?: string; payloads?: string; limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Run[];
      next: string | null;
    };
  };
  "GET /api/runs/{id}": {
    path: { id: string };
    query: { payloads?: string };
    body: unknown;
    answer: Run;
  };
  "POST /api/runs/{id}/cancel": {
    path: { id: string };
    query: Record<string, never>;
    body: RunsCancelBody;
    answer: Run;
  };
  "GET /api/runs/{id}/duplicates": {
    path: { id: string };
    query: { limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Duplicate[];
      next: string | null;
    };
  };
  "GET /api/runs/{id}/history": {
    path: { id: string };
    query: { limit?: string; after?: string };
    body: unknown;
    answer: {
      items: History[];
      next: string | null;
    };
  };
  "POST /api/runs/{id}/resume": {
    path: { id: string };
    query: Record<string, never>;
    body: RunsResumeBody;
    answer: Run;
  };
  "POST /api/runs/{id}/retry": {
    path: { id: string };
    query: Record<string, never>;
    body: RunsRetryBody;
    answer: Run;
  };
  "POST /api/runs/{id}/steps/{step}/settle": {
    path: { id: string; step: string };
    query: Record<string, never>;
    body: RunsStepBody;
    answer: Run;
  };
  "POST /api/runs/{id}/try-now": {
    path: { id: string };
    query: Record<string, never>;
    body: unknown;
    answer: Run;
  };
  "GET /api/runs/{id}/waits": {
    path: { id: string };
    query: { limit?: string; after?: string };
    body: unknown;
    answer: {
      items: RunWait[];
      next: string | null;
    };
  };
  "GET /api/schedules": {
    path: Record<string, never>;
    query: { limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Schedule[];
      next: string | null;
    };
  };
  "GET /api/schedules/{name}": {
    path: { name: string };
    query: Record<string, never>;
    body: unknown;
    answer: Schedule;
  };
  "POST /api/schedules/{name}/backfill": {
    path: { name: string };
    query: Record<string, never>;
    body: ScheduleRoutesBackfillBody;
    answer: ScheduleRoutesBackfilled;
  };
  "POST /api/schedules/{name}/pause": {
    path: { name: string };
    query: Record<string, never>;
    body: unknown;
    answer: Schedule;
  };
  "POST /api/schedules/{name}/resume": {
    path: { name: string };
    query: Record<string, never>;
    body: unknown;
    answer: Schedule;
  };
  "GET /api/secrets": {
    path: Record<string, never>;
    query: { limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Secret[];
      next: string | null;
    };
  };
  "DELETE /api/secrets/{name}": {
    path: { name: string };
    query: Record<string, never>;
    body: unknown;
    answer: void;
  };
  "PUT /api/secrets/{name}": {
    path: { name: string };
    query: Record<string, never>;
    body: SecretRoutesSecretBody;
    answer: void;
  };
  "DELETE /api/session": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: void;
  };
  "GET /api/session": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: SessionRoutesSession;
  };
  "POST /api/session": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: SessionRoutesSession;
  };
  "POST /api/subjects/erase": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: SubjectRoutesEraseBody;
    answer: SubjectErasure;
  };
  "GET /api/subjects/erasures": {
    path: Record<string, never>;
    query: { limit?: string; after?: string };
    body: unknown;
    answer: {
      items: SubjectErasure[];
      next: string | null;
    };
  };
  "GET /api/subjects/erasures/{id}": {
    path: { id: string };
    query: Record<string, never>;
    body: unknown;
    answer: SubjectErasure;
  };
  "POST /api/subjects/export": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: SubjectRoutesSubjectBody;
    answer: SubjectRoutesExport;
  };
  "POST /api/subjects/plan": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: SubjectRoutesSubjectBody;
    answer: SubjectRoutesPlan;
  };
  "GET /api/tenants": {
    path: Record<string, never>;
    query: { limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Tenant[];
      next: string | null;
    };
  };
  "POST /api/tenants": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: OperatorRoutesTenantBody;
    answer: Tenant;
  };
  "GET /api/tenants/{name}": {
    path: { name: string };
    query: Record<string, never>;
    body: unknown;
    answer: Tenant;
  };
  "GET /api/tenants/{name}/deletion": {
    path: { name: string };
    query: Record<string, never>;
    body: unknown;
    answer: DeletionRoutesDeletion;
  };
  "POST /api/tenants/{name}/deletion": {
    path: { name: string };
    query: Record<string, never>;
    body: DeletionRoutesDeletionBody;
    answer: DeletionRoutesDeletion;
  };
  "GET /api/tenants/{name}/quotas": {
    path: { name: string };
    query: Record<string, never>;
    body: unknown;
    answer: QuotaRoutesQuota;
  };
  "PUT /api/tenants/{name}/quotas": {
    path: { name: string };
    query: Record<string, never>;
    body: TenantQuotas;
    answer: QuotaRoutesQuota;
  };
  "POST /api/tenants/{name}/resume": {
    path: { name: string };
    query: Record<string, never>;
    body: SuspensionRoutesReasonBody;
    answer: Tenant;
  };
  "POST /api/tenants/{name}/suspend": {
    path: { name: string };
    query: Record<string, never>;
    body: SuspensionRoutesReasonBody;
    answer: Tenant;
  };
  "POST /api/tenants/{name}/tokens": {
    path: { name: string };
    query: Record<string, never>;
    body: unknown;
    answer: TokenViewCreated;
  };
  "GET /api/token-keys": {
    path: Record<string, never>;
    query: { limit?: string; after?: string };
    body: unknown;
    answer: TokenKeyRoutesKeys;
  };
  "POST /api/token-keys": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: TokenKeyRoutesRotateBody;
    answer: TokenKeyBookRotated;
  };
  "GET /api/tokens": {
    path: Record<string, never>;
    query: { limit?: string; after?: string };
    body: unknown;
    answer: {
      items: Token[];
      next: string | null;
    };
  };
  "POST /api/tokens": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: TokenRoutesTokenBody;
    answer: TokenViewCreated;
  };
  "DELETE /api/tokens/{id}": {
    path: { id: string };
    query: Record<string, never>;
    body: unknown;
    answer: Token;
  };
  "GET /approvals/{link}": {
    path: { link: string };
    query: Record<string, never>;
    body: unknown;
    answer: string;
  };
  "POST /approvals/{link}": {
    path: { link: string };
    query: Record<string, never>;
    body: unknown;
    answer: string;
  };
  "GET /healthz": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: HealthStatus;
  };
  "POST /hooks/{path}": {
    path: { path: string };
    query: Record<string, never>;
    body: unknown;
    answer: Receipt;
  };
  "POST /mcp": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: unknown;
  };
  "GET /metrics": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: string;
  };
  "GET /openapi.json": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: unknown;
  };
  "GET /readyz": {
    path: Record<string, never>;
    query: Record<string, never>;
    body: unknown;
    answer: HealthStatus;
  };
}
