(** * Judgements, premises, and the index sets of bag expressions

    [judged G P Q] is the judgement of THEORY section 3: on every input on which the formula [G] holds, both terms have the
    same value.  Rules prove it from valid formulas, and a formula is valid when a tree refutes its negation. *)
From Tallystick Require Export Slots.

Definition judged (G P Q : term) := forall r, typed r -> toB (meaning r G) = true -> meaning r P = meaning r Q.
Definition valid (t : term) := forall r, typed r -> toB (meaning r t) = true.

Lemma proj_type x i ts t : type x = Some (TTup ts) -> nth_error ts i = Some t -> type (proj x i) = Some t.
Proof.
  intros X N. assert (T : type (Op (Proj i) [x]) = Some t) by (unfold type in *; cbn [typeof]; now rewrite X).
  exact (proj1 (mk_ok None None default_env nothing nothing default_env_typed I I _ _ _ T)).
Qed.

Section All2.
  Context {A B} (p : A -> B -> bool).
  Fixpoint all2 (l : list A) (k : list B) : bool := match l, k with
    | [], [] => true | x :: l, y :: k => p x y && all2 l k | _, _ => false end.
End All2.
Lemma all2_in {A B} (p : A -> B -> bool) l k : all2 p l k = true -> forall x, In x l -> exists y, p x y = true.
Proof.
  revert k; induction l; destruct k; cbn; try discriminate; try tauto. rewrite andb_true_iff. intros [H K] x [<-|X]; eauto.
Qed.
Definition discharged (fuel : nat) (premises : list term) (evidence : list tree) := all2 (refutes fuel) premises evidence.
Lemma discharged_ok fuel ps ev : discharged fuel ps ev = true -> forall p, In p ps -> bool_term p /\ valid p.
Proof. intros D p P. destruct (all2_in _ _ _ D p P) as [t T]. exact (refutes_ok _ _ _ T). Qed.


(** A goal relates terms of one type under a formula, without variables that stand for elements. *)
Definition goal_ok (G P Q : term) : bool :=
  plain G && plain P && plain Q && is (type G) TBool && match type P with Some t => is (type Q) t | None => false end.

Lemma typed_meaning e t k : typed e -> type t = Some k -> has_type (meaning e t) k.
Proof. intros E T. exact (preservation e E t None None nothing nothing k T I I). Qed.
Lemma plain_conj l : Forall (fun t => plain t = true) l -> plain (conj l) = true.
Proof.
  intros L. unfold conj, mk, junction.
  match goal with |- context [filter ?p ?k] => assert (F : forall t, In t (filter p k) -> plain t = true) end.
  { intros t T. apply filter_In in T as [T _]. apply (proj1 (uniq_in t _)), in_flat_map in T as (z & Z & T).
    rewrite Forall_forall in L. pose proof (L z Z) as PZ. destruct z; try (destruct T as [<-|[]]; exact PZ).
    unfold parts_of in T. destruct (op_eqb o And); [|destruct T as [<-|[]]; exact PZ].
    cbn [plain] in PZ. rewrite forallb_forall in PZ. auto. }
  destruct (existsb _ _); [reflexivity|]. destruct (filter _ _) as [|t [|t' k]]; [reflexivity|apply F; cbn; auto|].
  cbn [plain]. apply forallb_forall. intros z Z. now apply F.
Qed.
Lemma agree_self r : agree r r.
Proof. intros ? ?; auto. Qed.

(** ** Monomials with their slots in order *)
Definition count_slots (ss : list slot) (s : slot) := List.length (filter (same_bag (fst (fst s)) (slot_type s)) ss).
Definition numbered (ss : list slot) := forallb (fun s => Nat.ltb (snd s) (count_slots ss s)) ss.
Definition canonical (m : mono) := {| slots := sort_slots (slots m); present := present m; result := result m |}.
Definition in_order_mono (m : mono) :=
  distinct_slots (slots m) && covered (slots m) (present m) && covered (slots m) (result m) && numbered (slots m).
Definition monomials (e : term) : option (list mono) :=
  bind (monos [] e) (fun ms => let ms := map canonical ms in if forallb in_order_mono ms then Some ms else None).
Record indexed (m : mono) : Prop := { once : NoDup (slots m); over_present : covered (slots m) (present m) = true;
  over_result : covered (slots m) (result m) = true; from_zero : numbered (slots m) = true }.

Theorem monomials_ok e ms t : monomials e = Some ms -> type e = Some (TBag t) -> plain e = true ->
  Forall (well t) ms /\ Forall indexed ms /\
  forall r, typed r -> Permutation (elements (meaning r e)) (flat_map (outs r r) ms).
Proof.
  unfold monomials. intros M T P. destruct (monos [] e) as [ls|] eqn:E; [|discriminate]. cbn [bind] in M. cbv zeta in M.
  destruct (forallb in_order_mono _) eqn:G; [|discriminate]. inversion M; subst; clear M.
  destruct (monos_ok _ _ _ _ E T P) as [W H].
  assert (X : Forall indexed (map canonical ls)).
  { apply Forall_forall. intros m I. rewrite forallb_forall in G. specialize (G m I). unfold in_order_mono in G. rewrite !andb_true_iff in G.
    destruct G as [[[G1 G2] G3] G4]. split; auto. now apply distinct_slots_ok. }
  split; [|split; [exact X|]].
  - apply Forall_map. eapply Forall_impl; [|exact W]. intros m [W1 W2]. split; auto.
  - intros r R. etransitivity; [exact (H r r R R (agree_self r))|]. rewrite flat_map_map. apply flat_map_same. intros m I.
    rewrite Forall_forall in X. specialize (X _ (in_map canonical _ _ I)). destruct X as [X1 X2 X3 _]. cbn [slots canonical present result] in *.
    unfold outs, canonical; cbn [slots]. change (fun r0 => out r0 (canonical m)) with (fun r0 => out r0 m).
    assert (S : Permutation (slots m) (sort_slots (slots m))) by apply sort_slots_perm.
    apply (assign_perm (fun r0 => out r0 m)); auto.
    + apply (local_extensional (sort_slots (slots m))). now apply out_local.
    + eapply Permutation_NoDup; [symmetry; exact S|auto].
Qed.
