/**
 * Hapax as a library. Users see two packages. The port of a store and the parts that Hapax's own
 * modules share are exported to these modules only; the engine is not exported.
 */
@SuppressWarnings("module") // the modules behind "to" are compiled after this one
module dev.hapax.core {
  requires transitive java.sql;
  requires static transitive org.jspecify;
  requires com.fasterxml.jackson.annotation;
  requires org.slf4j;
  requires tools.jackson.core;
  requires tools.jackson.databind;

  uses dev.hapax.store.StoreProvider;

  exports dev.hapax;
  exports dev.hapax.flow;

  exports dev.hapax.export to
      dev.hapax.app;
  exports dev.hapax.store to
      dev.hapax.app,
      dev.hapax.bench,
      dev.hapax.store,
      dev.hapax.testkit,
      dev.hapax.trial;
  exports dev.hapax.run to
      dev.hapax.app,
      dev.hapax.store,
      dev.hapax.testkit,
      dev.hapax.trial;
  exports dev.hapax.run.journal to
      dev.hapax.app,
      dev.hapax.store,
      dev.hapax.testkit,
      dev.hapax.trial;
  exports dev.hapax.run.ledger to
      dev.hapax.store,
      dev.hapax.testkit;
  exports dev.hapax.run.retention to
      dev.hapax.store,
      dev.hapax.testkit;
  exports dev.hapax.run.start to
      dev.hapax.store,
      dev.hapax.testkit;
  exports dev.hapax.run.value to
      dev.hapax.app,
      dev.hapax.store,
      dev.hapax.testkit;
  exports dev.hapax.run.wait to
      dev.hapax.app,
      dev.hapax.store,
      dev.hapax.testkit;
  exports dev.hapax.time to
      dev.hapax.app,
      dev.hapax.bench,
      dev.hapax.flows,
      dev.hapax.store,
      dev.hapax.testkit,
      dev.hapax.trial;
  exports dev.hapax.json to
      dev.hapax.app,
      dev.hapax.bench,
      dev.hapax.flows,
      dev.hapax.store,
      dev.hapax.testkit,
      dev.hapax.trial;
  exports dev.hapax.admission to
      dev.hapax.app;
  exports dev.hapax.history to
      dev.hapax.testkit;

  // What is stored as JSON.
  opens dev.hapax.flow to
      tools.jackson.databind;
  opens dev.hapax.job to
      tools.jackson.databind;
  opens dev.hapax.run to
      tools.jackson.databind;
  opens dev.hapax.run.journal to
      tools.jackson.databind;
}
