package io.rdmanet.bw.run;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Puts a server's runs together again: runs of one setting that follow each other are repeats.
final class CellCollector {
    private final Observer observer;
    private final List<RunOutcome> outcomes = new ArrayList<>();
    private @Nullable Setting setting;

    CellCollector(Observer observer) {
        this.observer = observer;
    }

    /// A run that counts is over.
    void add(Setting newSetting, RunOutcome outcome) {
        if (!newSetting.equals(setting)) {
            finish();
            setting = newSetting;
            observer.begins(newSetting);
        }
        outcomes.add(outcome);
        RunEvent.commit(newSetting, outcome);
        observer.runDone(newSetting, outcome, outcomes.size());
    }

    /// No more runs of this setting.
    void finish() {
        if (setting != null && !outcomes.isEmpty()) {
            observer.cellDone(new CellResult(setting, outcomes));
        }
        outcomes.clear();
        setting = null;
    }
}
