(** * Proof trees and the rules that they replay

    A proof tree says which rule concludes a goal and what rests above the line: trees that refute the negations of the rule's
    premises, and subproofs.  [proves] replays it; [proves_ok] says that what it accepts is so. *)
From Tallystick Require Export ByKeyCheck SetRule Congruence MembersRule.

Inductive proof :=
  | NoAgg (how : same_by) (evidence : list tree)
  | SetRule (evidence : list tree)
  | FoldRule (folds : list (term * name)) (invariant : term) (evidence : list tree) (conclusion : proof)
  | ByKey (left right : term) (buckets : (name * name * name) * (name * name * name)) (invariant : term) (evidence : list tree)
  | Congruence (left right : term) (fresh : name) (parts whole : proof)
  | Transitive (middle : term) (first second : proof)
  | Symmetric (mirrored : proof)
  | Reflexive
  | Members (facts : members_proof).

Fixpoint proves (fuel : nat) (G P Q : term) (p : proof) : bool :=
  goal_ok G P Q &&
  match p with
  | NoAgg how evidence => match type P, evidence with
      | Some (TBag _), _ => no_agg fuel G P Q how evidence
      | Some _, [tree] => values fuel G P Q tree
      | _, _ => false
      end
  | SetRule evidence => match type P with Some (TBag _) => set_rule fuel G P Q evidence | _ => false end
  | FoldRule folds inv evidence rest =>
      match sequence (map (fun tx => read_fold (fst tx) (snd tx)) folds) with
      | Some ds =>
          fold_ok G P Q inv ds && discharged fuel (fold_premises G inv ds) evidence &&
          proves fuel (conj [G; inv]) (substitute (fold_state ds) P) (substitute (fold_state ds) Q) rest
      | None => false
      end
  | ByKey f1 f2 (n1, n2) inv evidence =>
      match read_side P f1 n1, read_side Q f2 n2 with
      | Some d1, Some d2 => distinct_names [kx d1; ex d1; ax d1; kx d2; ex d2; ax d2] && by_key_ok G P Q inv d1 d2 && discharged fuel (by_key_premises G inv d1 d2) evidence
      | _, _ => false
      end
  | Congruence s1 s2 x parts whole =>
      match type s1 with
      | Some t =>
          is (type s2) t && negb (is_slot x) && negb (occurs x G || occurs x P || occurs x Q) && negb (occurs x s1 || occurs x s2) &&
          proves fuel G s1 s2 parts &&
          proves fuel G (substitute (replace s1 (Var x t)) P) (substitute (replace s2 (Var x t)) Q) whole
      | None => false
      end
  | Transitive m p q => proves fuel G P m p && proves fuel G m Q q
  | Symmetric p => proves fuel G Q P p
  | Reflexive => term_eqb P Q
  | Members facts => members fuel G P Q facts
  end.

Lemma read_fold_ok t x d : read_fold t x = Some d -> acc d = x /\ the_fold d = t /\
  type (the_fold d) = Some (aty d) /\ type (over d) = Some (TBag (ety d)) /\ monomials (over d) = Some (mons d).
Proof.
  unfold read_fold. destruct t as [| | | | | |o args]; try discriminate. destruct o; try discriminate.
  destruct args as [|i [|f [|b [|]]]]; try discriminate. destruct (type (Op Fold [i; f; b])) as [k|] eqn:T; [|discriminate].
  destruct (type b) as [[| | | | |u]|] eqn:B; try discriminate. destruct (monomials b) as [ms|] eqn:M; try discriminate.
  intros [= <-]. cbn [acc the_fold init udf over aty ety mons]. auto.
Qed.
Theorem proves_ok fuel p : forall G P Q, proves fuel G P Q p = true -> judged G P Q.
Proof.
  induction p as [how ev|ev|folds inv ev rest IH|f1 f2 ns inv ev|s1 s2 x p1 IH1 p2 IH2|m p1 IH1 p2 IH2|p IH| |facts]; intros G P Q; cbn [proves];
    rewrite andb_true_iff; intros [OK C].
  - destruct (type P) as [t|] eqn:T; [|discriminate].
    destruct t as [| | | | |t]; try (destruct ev as [|tree [|]]; try discriminate; now apply (values_ok fuel G P Q tree)).
    eapply no_agg_ok; eauto.
  - destruct (type P) as [[| | | | |t]|] eqn:T; try discriminate. eapply set_rule_ok; eauto.
  - destruct (sequence _) as [ds|] eqn:E; [|discriminate]. rewrite !andb_true_iff in C. destruct C as [[C1 C2] C3].
    apply sequence_all in E. eapply (fold_sound G P Q inv ds); eauto.
    + clear -E. induction E as [|[t x] d l k H _ IH]; [intros e []|]. intros e [I|I]; [|exact (IH e I)]. subst e. cbn [fst snd] in H.
      apply read_fold_ok in H. tauto.
    + intros q Hq. exact (proj2 (discharged_ok _ _ _ C2 q Hq)).
  - destruct ns as [n1 n2]. destruct (read_side P f1 n1) as [d1|] eqn:R1; [|discriminate].
    destruct (read_side Q f2 n2) as [d2|] eqn:R2; [|discriminate]. rewrite !andb_true_iff in C. destruct C as [[_ C1] C2].
    apply (by_key_sound G P Q f1 f2 inv n1 n2 d1 d2 R1 R2 C1). intros q Hq. exact (proj2 (discharged_ok _ _ _ C2 q Hq)).
  - destruct (type s1) as [t|] eqn:T; [|discriminate]. rewrite !andb_true_iff in C. destruct C as (((((C1 & C2) & C3) & _) & C4) & C5).
    apply is_eq in C1. apply negb_true_iff in C2, C3. exact (congruence_ok G P Q s1 s2 x t OK T C1 C2 C3 (IH1 _ _ _ C4) (IH2 _ _ _ C5)).
  - apply andb_true_iff in C as [C1 C2]. intros r R HG. transitivity (meaning r m); [apply (IH1 _ _ _ C1)|apply (IH2 _ _ _ C2)]; auto.
  - intros r R HG. symmetry. apply (IH _ _ _ C); auto.
  - apply term_eqb_eq in C. subst. intros r R HG. reflexivity.
  - exact (members_ok _ _ _ _ _ OK C).
Qed.
