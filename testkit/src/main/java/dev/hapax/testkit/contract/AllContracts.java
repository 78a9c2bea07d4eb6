package dev.hapax.testkit.contract;

import dev.hapax.store.Store;
import org.junit.jupiter.api.Nested;

/** All contracts of a store, a class per topic; a test of a store says how it is opened. */
public abstract class AllContracts {

  /** Returns an empty store; called once per test. */
  protected abstract Store newStore();

  @Nested
  class Admission extends AdmissionContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class BadInput extends BadInputContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Call extends CallContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Cancel extends CancelContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Claim extends ClaimContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Decision extends DecisionContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Due extends DueContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Effect extends EffectOutcomeContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Erasure extends ErasureContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Gate extends GateContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Import extends ImportContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Inbox extends InboxContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Job extends JobContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Journal extends JournalContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Kv extends KvContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class ItemJournals extends ItemJournalContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class LedgerLife extends LedgerLifeContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Generation extends GenerationContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class LedgerRetention extends LedgerRetentionContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class List extends ListContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Lock extends LockContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Activity extends ActivityContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class OpenWork extends OpenWorkContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Ownership extends OwnershipContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Resource extends ResourceContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Retention extends RetentionContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Review extends ReviewContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Schedule extends ScheduleContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Search extends SearchContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class SecretKey extends SecretKeyContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Spawn extends SpawnContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class PersonalData extends SubjectContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Undo extends UndoContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class UnknownCommit extends UnknownCommitContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Update extends UpdateContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }

  @Nested
  class Wait extends WaitContract {
    @Override
    protected Store open() {
      return newStore();
    }
  }
}
